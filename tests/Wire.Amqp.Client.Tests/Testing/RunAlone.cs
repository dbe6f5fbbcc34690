namespace Wire.Amqp.Client.Tests.Testing;

/// <summary>Tests that look at the memory of the whole process, and so run when no others do.</summary>
[CollectionDefinition(nameof(RunAlone), DisableParallelization = true)]
public sealed class RunAlone;
