package recorder;

import java.util.List;

/**
 * A protocol of a JoinGroup. The topics are null where the metadata is no subscription of a
 * consumer.
 */
record Proto(String name, byte[] meta, List<String> topics) {
    static Proto of(String name, List<String> topics) {
        return new Proto(name, Snapshot.subscription(topics), topics);
    }

    static Proto raw(String name, String hex) {
        return new Proto(name, Snapshot.unhex(hex), null);
    }
}
