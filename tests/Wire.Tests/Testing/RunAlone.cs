using Xunit;

namespace Wire.Tests.Testing;

/// <summary>
/// Tests that run alone: while stacks are deep, a garbage collection that another test causes has to scan all of them; while other
/// tests look through all loaded assemblies, they hold those that should go; and as long as they bring new code, the runtime puts off
/// compiling fully what allocations are counted of.
/// </summary>
[CollectionDefinition(nameof(RunAlone), DisableParallelization = true)]
public sealed class RunAlone;
