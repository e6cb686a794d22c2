package org.mavlogd.signing;

import java.nio.file.Path;
import java.util.Optional;

/**
 * How frames are signed, and which ones are taken.
 *
 * @param key empty when signatures are ignored and nothing is signed
 * @param stateFile where the time of the latest signature outlives the process
 */
public record SigningSettings(Optional<SigningKey> key, SigningPolicy policy, Path stateFile) {}
