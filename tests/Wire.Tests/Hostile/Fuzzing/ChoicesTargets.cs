using Wire.Testing.Fuzzing;
using Wire.Tests.Behaviour.Graphs;
using Wire.Tests.Behaviour.Histories;
using Wire.Tests.Testing;

namespace Wire.Tests.Hostile.Fuzzing;

/// <summary>
/// Inputs that are no payloads but choices, by which something honest is made: a graph that is written and read, or the history of a
/// session. Everything that comes of it is right, or is the one error that such a graph must give.
/// </summary>
internal static class ChoicesTargets
{
    public const string Format = "choices";

    private const int Seeds = 12;
    private const int Length = 160;

    public static IEnumerable<Target> All { get; } =
    [
        .. GraphTrial.All.Select(trial => new ChoicesTarget($"graphs, {trial.Name}", trial.Violation)),
        new ChoicesTarget("history", choices => ViolationOf(choices, isFaithful: false)),
        new ChoicesTarget("faithful history", choices => ViolationOf(choices, isFaithful: true)),
        new ChoicesTarget("equal names", RightOrRefused.EqualNames),
        new ChoicesTarget("changing collections", RightOrRefused.Changing),
        new ChoicesTarget("details of exceptions", RightOrRefused.ExceptionDetails),
    ];

    private static Violation? ViolationOf(byte[] choices, bool isFaithful) =>
        History.Violation(choices, isFaithful) is { } text ? new Violation("history", isFaithful ? "poisoned" : "misread", text) : null;

    private sealed class ChoicesTarget(string name, Func<byte[], Violation?> violation) : Target(name, ChoicesTargets.Format)
    {
        public override IReadOnlyList<Seed> Seeds { get; } = [.. Enumerable.Range(1, ChoicesTargets.Seeds).Select(seed =>
        {
            byte[] bytes = new byte[Length];
            new Random(seed).NextBytes(bytes);
            return new Seed($"choices {seed}", bytes);
        })];

        // What is made is the test's own, and so is what it allocates.
        public override long Allowance(byte[] input) => long.MaxValue;

        public override bool IsRefusal(Exception e) => false;

        public override object? Read(byte[] input) => null;

        public override void Check(byte[] input, object? value)
        {
            if (violation(input) is { } broken)
            {
                throw new BrokenPromiseException(broken.Kind, broken.Text) { Place = broken.Place };
            }
        }
    }
}
