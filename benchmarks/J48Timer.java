import java.io.BufferedReader;
import java.io.FileReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import weka.classifiers.trees.J48;
import weka.core.Instances;

/** Prints, for each ARFF file named, its size as J48 counts it and the least CPU time of several builds in seconds. */
public class J48Timer {
    public static void main(String[] arguments) throws Exception {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        int repeats = Integer.parseInt(arguments[0]);
        for (int file = 1; file < arguments.length; file++) {
            Instances data = new Instances(new BufferedReader(new FileReader(arguments[file])));
            data.setClassIndex(data.numAttributes() - 1);
            double least = Double.POSITIVE_INFINITY;
            double size = 0;
            for (int repeat = 0; repeat < repeats; repeat++) {
                J48 builder = new J48();
                long start = threads.getCurrentThreadCpuTime();
                builder.buildClassifier(data);
                least = Math.min(least, (threads.getCurrentThreadCpuTime() - start) / 1e9);
                size = builder.measureTreeSize();
            }
            System.out.println((int) size + " " + least);
            System.out.flush();
        }
    }
}
