package org.mavlogd.fleet;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import java.nio.channels.DatagramChannel;
import java.util.List;
import org.mavlogd.config.UploadSettings.Network;

/** Decides whether a connection to a host would use an allowed network. */
final class Networks {
    private static final int ANY_PORT = 443;

    private final Network allowed;

    Networks(Network allowed) {
        this.allowed = allowed;
    }

    /**
     * Returns the reason why connections to the host are not allowed now; empty if they are.
     *
     * @param host empty if unknown: then one allowed interface that is up suffices
     */
    String problem(String host) {
        if (allowed.interfaces().isEmpty() && allowed.networks().isEmpty()) {
            return "";
        }
        try {
            return host.isEmpty() ? anyProblem() : problem(local(host), host);
        } catch (UnknownHostException e) {
            return host + ": the name cannot be resolved";
        } catch (IOException e) {
            return host + ": there is no route to it";
        }
    }

    /** The local address of a connection to the host; sends nothing. */
    private static InetAddress local(String host) throws IOException {
        String plain = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        // Not bound explicitly: the sandbox forbids that.
        try (DatagramChannel channel = DatagramChannel.open()) {
            channel.connect(new InetSocketAddress(InetAddress.getByName(plain), ANY_PORT));
            return ((InetSocketAddress) channel.getLocalAddress()).getAddress();
        }
    }

    private String problem(InetAddress address, String host) throws IOException {
        NetworkInterface by = NetworkInterface.getByInetAddress(address);
        String name = by == null ? "unknown" : by.getName();
        return isAllowed(name, address)
                ? ""
                : host + " is reached by " + name + ", " + address.getHostAddress() + ", which is not allowed";
    }

    private String anyProblem() throws IOException {
        List<NetworkInterface> all = NetworkInterface.networkInterfaces().toList();
        for (NetworkInterface one : all) {
            if (one.isUp() && one.inetAddresses().anyMatch(address -> isAllowed(one.getName(), address))) {
                return "";
            }
        }
        return "no allowed network is up";
    }

    private boolean isAllowed(String name, InetAddress address) {
        boolean byName = allowed.interfaces().isEmpty()
                || allowed.interfaces().stream()
                        .anyMatch(pattern -> pattern.matcher(name).matches());
        boolean byAddress = allowed.networks().isEmpty()
                || allowed.networks().stream().anyMatch(network -> network.contains(address.getAddress()));
        return byName && byAddress;
    }
}
