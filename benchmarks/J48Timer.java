import java.io.BufferedReader;
import java.io.FileReader;
import weka.classifiers.trees.J48;
import weka.core.Instances;

/** Prints, for each ARFF file named, its size as J48 counts it and the least of several build times in seconds. */
public class J48Timer {
    public static void main(String[] arguments) throws Exception {
        int repeats = Integer.parseInt(arguments[0]);
        for (int file = 1; file < arguments.length; file++) {
            Instances data = new Instances(new BufferedReader(new FileReader(arguments[file])));
            data.setClassIndex(data.numAttributes() - 1);
            double least = Double.POSITIVE_INFINITY;
            double size = 0;
            for (int repeat = 0; repeat < repeats; repeat++) {
                J48 builder = new J48();
                long start = System.nanoTime();
                builder.buildClassifier(data);
                least = Math.min(least, (System.nanoTime() - start) / 1e9);
                size = builder.measureTreeSize();
            }
            System.out.println((int) size + " " + least);
            System.out.flush();
        }
    }
}
