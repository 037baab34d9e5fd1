package recorder;

import java.security.Provider;
import java.security.Security;
import java.util.Random;

/** The source of random bytes for member ids, the same in every run. */
public final class FixedRandom extends java.security.SecureRandomSpi {
    private static Random random = new Random(0);

    /** Makes every SecureRandom of the process draw from here. */
    static void install() {
        Security.insertProviderAt(new Source(), 1);
    }

    static void seed(long seed) {
        random = new Random(seed);
    }

    private static final class Source extends Provider {
        Source() {
            super("Fixed", "1", "repeatable identifiers");
            put("SecureRandom.Fixed", FixedRandom.class.getName());
        }
    }

    @Override
    protected void engineSetSeed(byte[] seed) {}

    @Override
    protected void engineNextBytes(byte[] bytes) {
        random.nextBytes(bytes);
    }

    @Override
    protected byte[] engineGenerateSeed(int n) {
        byte[] bytes = new byte[n];
        random.nextBytes(bytes);
        return bytes;
    }
}
