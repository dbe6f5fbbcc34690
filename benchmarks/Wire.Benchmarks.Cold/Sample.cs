using System.Diagnostics;
using System.Runtime;
using System.Runtime.CompilerServices;
using Wire;

namespace Bench.Cold;

/// <summary>What a fresh process does: the first messages of some types, with one library and nothing else.</summary>
internal static class Sample
{
    public static readonly string[] Subjects =
        [Empty, Reflection, Generated, Protobuf, Plain, Typed, PreparedPlain, PreparedTyped, Background];

    public const string Empty = "empty";
    public const string Reflection = "json";
    public const string Generated = "json-generated";
    public const string Protobuf = "protobuf";
    public const string Plain = "wire";
    public const string Typed = "wire-typed";
    public const string PreparedPlain = "wire-prepared";
    public const string PreparedTyped = "wire-typed-prepared";
    public const string Background = "wire-background";

    /// <summary>
    /// Runs, and prints the milliseconds of the processor, those that the messages took alone, the number of methods that were compiled at
    /// run time, and of those for the messages alone.
    /// </summary>
    public static void Run(string subject, int types, int rounds)
    {
        Clock messages = subject switch
        {
            Reflection => WithReflection(types, rounds),
            Generated => WithGenerated(types, rounds),
            Protobuf => WithProtobuf(types, rounds),
            Plain => Visit(new PlainVisitor(new Serializer()), types, rounds),
            Typed => Visit(new TypedVisitor(new Serializer()), types, rounds),
            PreparedPlain => WithPrepared(types, rounds, serializer => new PlainVisitor(serializer)),
            PreparedTyped => WithPrepared(types, rounds, serializer => new TypedVisitor(serializer)),
            Background => InBackground(types, rounds),
            _ => Visit(new NoVisitor(), types, rounds),
        };
        long methods = JitInfo.GetCompiledMethodCount();
        double processor = Environment.CpuUsage.TotalTime.TotalMilliseconds;
        Console.WriteLine(FormattableString.Invariant($"{processor} {messages.Milliseconds} {methods} {messages.Methods}"));
    }

    private static Clock Visit(Visitor visitor, int types, int rounds)
    {
        var clock = new Clock();
        for (int i = 0; i < rounds; i++)
        {
            Model.Visit(types, visitor);
        }

        clock.Stop();
        return clock;
    }

    // Out of line, so that no process loads the library of another one.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static Clock WithReflection(int types, int rounds) => Visit(new ReflectionVisitor(), types, rounds);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static Clock WithGenerated(int types, int rounds) => Visit(new GeneratedVisitor(), types, rounds);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static Clock WithProtobuf(int types, int rounds)
    {
        var clock = new Clock();
        var visitor = new ProtobufVisitor();
        for (int i = 0; i < rounds; i++)
        {
            Model.VisitMessages(types, visitor);
        }

        clock.Stop();
        return clock;
    }

    private static Clock WithPrepared(int types, int rounds, Func<Serializer, Visitor> create)
    {
        var serializer = new Serializer();
        serializer.PrepareAsync(Model.Types.Take(types)).GetAwaiter().GetResult();
        return Visit(create(serializer), types, rounds);
    }

    private static Clock InBackground(int types, int rounds)
    {
        var serializer = new Serializer();
        Task prepared = serializer.PrepareAsync(Model.Types.Take(types));
        Clock messages = Visit(new PlainVisitor(serializer), types, rounds);
        prepared.GetAwaiter().GetResult();
        return messages;
    }

    /// <summary>What the messages take, on their thread.</summary>
    private sealed class Clock
    {
        private readonly long _methods = JitInfo.GetCompiledMethodCount(currentThread: true);
        private readonly long _start = Stopwatch.GetTimestamp();

        public double Milliseconds { get; private set; }

        public long Methods { get; private set; }

        public void Stop()
        {
            Milliseconds = Stopwatch.GetElapsedTime(_start).TotalMilliseconds;
            Methods = JitInfo.GetCompiledMethodCount(currentThread: true) - _methods;
        }
    }
}
