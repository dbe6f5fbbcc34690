using System.Globalization;
using System.Runtime.CompilerServices;
using Wire.Benchmarks.Peers;
using Wire.Benchmarks.Quoted.Peers;

namespace Wire.Benchmarks.Quoted;

/// <summary>
/// What the first call of a process costs, to write a shelf of one book and to read it: each sample is a process of its own, those of Wire
/// and of a library in turn.
/// </summary>
internal static class FirstCalls
{
    /// <summary>The argument by which the program makes a sample.</summary>
    public const string Mode = "--first-call";

    private const string Own = "Wire, defaults";
    private const int Samples = 9;

    /// <summary>Wire against each of the libraries.</summary>
    public static IReadOnlyList<(string Name, Func<Comparison> Measure)> All { get; } =
        [.. PackagePeer.All.Select(peer => (Title(peer), (Func<Comparison>)(() => Measure(peer))))];

    /// <summary>Runs in the fresh process: writes and reads one shelf, and prints how many milliseconds of the processor it took.</summary>
    public static void Sample(string name)
    {
        BookShelf shelf = BookShelf.Create(books: 1, bytes: 0);
        double start = ProcessorClock.Nanoseconds();
        ICodec<BookShelf> codec = name == Own ? OfWire() : PackagePeer.All.Single(peer => peer.Name == name).Codec<BookShelf>();
        BookShelf read = codec.Read(codec.Write(shelf));
        double milliseconds = (ProcessorClock.Nanoseconds() - start) / 1e6;
        if (!SameGraph.Same(read, shelf))
        {
            throw new InvalidOperationException($"{name}: what was read is not what was written.");
        }

        Console.WriteLine(milliseconds.ToString(CultureInfo.InvariantCulture));
    }

    // Out of line, so that Wire is loaded where it is measured, as a library is.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WireCodec<BookShelf> OfWire() => new(new Serializer(), Scenario.Output());

    private static string Title(PackagePeer peer) => $"First call of a process, {peer.Name}";

    private static Comparison Measure(PackagePeer peer)
    {
        List<double> wire = [];
        List<double> other = [];
        for (int i = 0; i < Samples; i++)
        {
            wire.Add(Start(Own));
            other.Add(Start(peer.Name));
        }

        return new Comparison(
            Title(peer),
            "ms",
            Own,
            wire.Median(),
            peer.Name,
            other.Median(),
            wire.Zip(other, (own, figure) => own / figure).Median());
    }

    private static double Start(string name)
    {
        using var process = OwnProcess.Start(Mode, name);
        return OwnProcess.FiguresAsync(process).GetAwaiter().GetResult()[0];
    }
}
