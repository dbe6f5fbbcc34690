using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace Wire.Instructions;

/// <summary>The process that is counted. It says in which order it did what.</summary>
internal static class Counted
{
    /// <summary>How often each operation is counted.</summary>
    public const int Rounds = 3;

    // More often than any code is tried before its last form is compiled.
    private const int Compiling = 40;

    /// <summary>How many marks stand around the two stretches of a round.</summary>
    public const int Marks = 3;

    public static int Run()
    {
        var lines = new List<string> { Machine() };
        IReadOnlyList<Operation> operations = Operations.All();
        foreach (Operation operation in operations)
        {
            operation.Repeat(Compiling);
        }

        Instrumentation.Start();
        Mark.Set();
        int collections = GC.CollectionCount(0);
        foreach (Operation operation in operations)
        {
            // Code is compiled, tables have their sizes, and the session that the thread keeps is this serializer's.
            operation.Repeat(operation.Times);
            for (int round = 0; round < Rounds; round++)
            {
                Mark.Set();
                operation.Repeat(operation.Times);
                Mark.Set();
                operation.Repeat(2 * operation.Times);
                Mark.Set();
            }

            lines.Add($"{operation.Times} {operation.Name}");
        }

        if (GC.CollectionCount(0) != collections)
        {
            Console.Error.WriteLine(
                "The garbage collector ran while instructions were counted: give it more room in Callgrind.Environment.");
            return 1;
        }

        Console.Out.WriteLine(string.Join('\n', lines));
        return 0;
    }

    public static int Probe()
    {
        Instrumentation.Start();
        Mark.Set();
        return 0;
    }

    /// <summary>The part of the name of a machine that says which instructions it has.</summary>
    public static string Architecture(string machine) => machine.Split(", ")[1];

    // What decides which instructions the runtime makes, and which the C library has for copying.
    private static string Machine() =>
        $"{RuntimeInformation.FrameworkDescription}, {RuntimeInformation.ProcessArchitecture}, vectors " +
        $"of {Vectors()} bits, {RuntimeInformation.OSDescription}";

    private static int Vectors() => Vector512.IsHardwareAccelerated ? 512 : Vector256.IsHardwareAccelerated ? 256 : 128;
}
