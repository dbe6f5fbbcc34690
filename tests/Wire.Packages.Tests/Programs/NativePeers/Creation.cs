using System.Diagnostics;
using System.Runtime.CompilerServices;

// The ways to make an object of a class with five fields, all of them zero. Wire calls the function of a row, and copies an object of a
// class that has none, by a function too.
internal static class Creation
{
    private const int Objects = 10_000;

    // What is made is kept, for otherwise it is not made.
    private static object? _last;

    private interface IWay
    {
        string Name { get; }

        object Make();
    }

    public static void Print(int rounds)
    {
        (string Name, Func<double> Round)[] ways = [Of(new Constructor()), Of(new Row()), Of(new Copy()), Of(new Uninitialized())];
        double[][] times = [.. ways.Select(_ => new double[rounds])];
        for (int round = -1; round < rounds; round++)
        {
            for (int way = 0; way < ways.Length; way++)
            {
                double time = ways[way].Round();
                if (round >= 0)
                {
                    times[way][round] = time;
                }
            }
        }

        double[] medians = [.. times.Select(each => each.Order().ElementAt(rounds / 2))];
        Console.WriteLine("| an object of five fields by | of new |");
        Console.WriteLine("|---|---:|");
        for (int way = 0; way < ways.Length; way++)
        {
            Console.WriteLine($"| {ways[way].Name} | {medians[way] / medians[0]:F2} ({medians[way]:F1} ns) |");
        }
    }

    private static (string Name, Func<double> Round) Of<TWay>(TWay way)
        where TWay : struct, IWay => (way.Name, () => Round(way));

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static double Round<TWay>(TWay way)
        where TWay : struct, IWay
    {
        long start = Stopwatch.GetTimestamp();
        for (int i = 0; i < Objects; i++)
        {
            _last = way.Make();
        }

        return Stopwatch.GetElapsedTime(start).TotalNanoseconds / Objects;
    }

    private readonly struct Constructor : IWay
    {
        public string Name => "new";

        public object Make() => new Five();
    }

    private readonly struct Row : IWay
    {
        private static readonly Func<object> Create = static () => new Five();

        public string Name => "the function of a row";

        public object Make() => Create();
    }

    private readonly struct Copy : IWay
    {
        private static readonly Func<object> Create = Copies();

        public string Name => "a function that copies one";

        public object Make() => Create();

        private static Func<object> Copies()
        {
            object? original = null;
            return () => Clone(original ??= RuntimeHelpers.GetUninitializedObject(typeof(Five)));
        }

        [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "MemberwiseClone")]
        private static extern object Clone(object original);
    }

    private readonly struct Uninitialized : IWay
    {
        public string Name => "RuntimeHelpers.GetUninitializedObject";

        public object Make() => RuntimeHelpers.GetUninitializedObject(typeof(Five));
    }

    private sealed class Five
    {
        public int Number { get; set; }

        public string? Name { get; set; }

        public DateTime At { get; set; }

        public decimal Price { get; set; }

        public object? Detail { get; set; }
    }
}
