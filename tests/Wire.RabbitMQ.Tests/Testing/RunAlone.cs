namespace Wire.RabbitMQ.Tests.Testing;

/// <summary>Tests that look at the whole process, and so run when no others do.</summary>
[CollectionDefinition(nameof(RunAlone), DisableParallelization = true)]
public sealed class RunAlone;
