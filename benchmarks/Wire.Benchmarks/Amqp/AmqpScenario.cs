namespace Wire.Benchmarks;

/// <summary>What is measured of Wire.Amqp: data that each row has by itself, and writes and reads its own way.</summary>
internal abstract class AmqpScenario(string name) : Scenario(name)
{
    public sealed override string Page => Pages.Amqp;
}
