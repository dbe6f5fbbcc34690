using System.Reflection;
using Wire.Amqp.Tests.Hostile;
using Wire.RabbitMQ.Streams.Tests.Hostile;
using Wire.Testing.Fuzzing;
using Wire.Tests.Hostile;
using Wire.Tests.Hostile.Fuzzing;

namespace Wire.Fuzz;

/// <summary>The table of everything that is fuzzed: the tables of the projects of tests, one behind the other.</summary>
internal static class AllTargets
{
    private static readonly (string Project, Target[] Targets)[] Tables =
    [
        ("Wire.Tests", [.. Targets.All]),
        ("Wire.FSharp.Tests", [.. FSharpTargets()]),
        ("Wire.Amqp.Tests", [.. AmqpTargets.All]),
        ("Wire.RabbitMQ.Streams.Tests", [.. StreamTargets.All]),
    ];

    public static Target[] All { get; } = [.. Tables.SelectMany(table => table.Targets)];

    public static Target Find(string name) =>
        All.FirstOrDefault(target => target.Name == name) ?? throw new ArgumentException($"No target has the name '{name}'.", nameof(name));

    /// <summary>The project of tests that a target is of, which tries its regression vectors for ever.</summary>
    public static string ProjectOf(string name) => Tables.Single(table => table.Targets.Any(target => target.Name == name)).Project;

    // By name: the formatting check does not know F# projects, and would miss what is named in them.
    private static IEnumerable<Target> FSharpTargets() =>
        (IEnumerable<Target>)Assembly.Load("Wire.FSharp.Tests")
            .GetType("Wire.FSharp.Tests.FuzzTargets", throwOnError: true)!.GetProperty("all")!.GetValue(null)!;
}
