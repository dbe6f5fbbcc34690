using Wire.Benchmarks.Integrations;

// One polymorphic message, written and read through the interfaces that ASP.NET Core has for it.
OrderEvent message = Sample.Create();
Comparison.Print(message, [.. Caches.Hybrid(message), .. Caches.Distributed(message), .. Hubs.All(message), .. Formatters.All(message)]);
