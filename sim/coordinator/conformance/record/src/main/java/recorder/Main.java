package recorder;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/** Records COUNT traces with the seeds SEED, SEED + 1, … Usage: Main FAMILY|all SEED COUNT OUT. */
public final class Main {
    private Main() {}

    public static void main(String[] args) throws IOException {
        List<String> families = args[0].equals("all") ? Families.ALL : List.of(args[0].split(","));
        long seed = Long.parseLong(args[1]);
        int count = Integer.parseInt(args[2]);
        FixedRandom.install();
        LogCapture.install();
        try (Writer out = open(Path.of(args[3]))) {
            for (int i = 0; i < count; i++) {
                String family = families.get(i % families.size());
                for (String line :
                        new Walk(seed + i, Families.of(family)).run().trace(family, seed + i)) {
                    out.write(line);
                    out.write('\n');
                }
            }
        }
    }

    private static Writer open(Path path) throws IOException {
        Files.createDirectories(path.toAbsolutePath().getParent());
        OutputStream file = Files.newOutputStream(path);
        OutputStream bytes = path.toString().endsWith(".gz") ? new GZIPOutputStream(file) : file;
        return new BufferedWriter(new OutputStreamWriter(bytes, StandardCharsets.UTF_8));
    }
}
