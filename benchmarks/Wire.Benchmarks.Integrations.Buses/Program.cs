using Wire.Benchmarks.Integrations;

// One polymorphic message, written and read through the interface by which each framework asks its serializer.
OrderPlaced message = Sample.Create();
Comparison.Print(
    message, [.. MassTransitSerializers.All(message), .. RebusSerializers.All(message), .. WolverineSerializers.All(message)]);
