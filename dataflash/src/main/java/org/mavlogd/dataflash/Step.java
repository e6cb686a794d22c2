package org.mavlogd.dataflash;

/** One part of turning a record into a sample. Hot path. */
interface Step {
    /**
     * Fills in its part.
     *
     * @param offset of the record's header in {@code buffer}
     */
    void apply(byte[] buffer, int offset, byte[] sample);

    /** Fields that follow each other in both, as they are: both formats are little endian. */
    record Copy(int from, int to, int length) implements Step {
        @Override
        public void apply(byte[] buffer, int offset, byte[] sample) {
            System.arraycopy(buffer, offset + from, sample, to, length);
        }

        boolean isFollowedBy(int nextFrom, int nextTo) {
            return from + length == nextFrom && to + length == nextTo;
        }
    }

    /** A half to a float. */
    record Widen(int from, int to) implements Step {
        @Override
        public void apply(byte[] buffer, int offset, byte[] sample) {
            Bytes.putInt32(sample, to, Half.toFloatBits(Bytes.int16(buffer, offset + from)));
        }
    }

    /** Numbers into their unit. */
    record Convert(RecordField field, int to, double divisor, double factor) implements Step {
        static Convert of(RecordField field, int to, Scale scale) {
            double divisor = scale.divisor();
            return new Convert(field, to, divisor, divisor == 1 ? scale.factor() : 1);
        }

        @Override
        public void apply(byte[] buffer, int offset, byte[] sample) {
            FieldFormat format = field.format();
            for (int i = 0; i < format.count(); i++) {
                double value = Bytes.number(format, buffer, offset + field.offset(), i) * factor / divisor;
                Bytes.putInt64(sample, to + i * Double.BYTES, Double.doubleToRawLongBits(value));
            }
        }
    }
}
