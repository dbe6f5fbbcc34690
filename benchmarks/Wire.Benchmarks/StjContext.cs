using System.Text.Json.Serialization;
using Bench;

namespace Wire.Benchmarks;

/// <summary>System.Text.Json with code generated at build time, its fastest way.</summary>
[JsonSerializable(typeof(Poco))]
internal sealed partial class StjContext : JsonSerializerContext;
