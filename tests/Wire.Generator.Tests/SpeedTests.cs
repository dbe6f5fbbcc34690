using System.Diagnostics;
using System.Globalization;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Wire.Generator.Tests.Testing;
using Xunit.Abstractions;

namespace Wire.Generator.Tests;

/// <summary>
/// The time that many types take, which is printed; GENERATOR_TYPES says how many messages there are, of three types each.
/// </summary>
public sealed class SpeedTests(ITestOutputHelper output)
{
    // The first run compiles the generator, and the second one is as in an editor.
    [Fact]
    public void Many_types_have_their_rows()
    {
        int count = int.Parse(Environment.GetEnvironmentVariable("GENERATOR_TYPES") ?? "20", CultureInfo.InvariantCulture);
        string source = $$"""
            using System;
            using System.Collections.Generic;
            using Wire;

            [WireContext, WireDerivedFrom(typeof(IMessage))]
            internal sealed partial class Messages : WireTypes;

            internal interface IMessage;

            {{string.Concat(Enumerable.Range(0, count).Select(i => $$"""
                internal sealed class Message{{i}} : IMessage
                {
                    public Price{{i}} Price { get; set; }
                    public List<Price{{i}}?>? Prices { get; set; }
                    public Dictionary<Guid, Price{{i}}>? Map { get; set; }
                    public IMessage? Inner { get; set; }
                    public string? Text { get; set; }
                }

                internal struct Price{{i}}
                {
                    public decimal Amount;
                    public (int, Stage{{i}}) Pair;
                }

                internal enum Stage{{i}};

                """))}}
            """;
        for (int i = 0; i < 3; i++)
        {
            CSharpCompilation compilation = Compiled.Create([source]);
            Assert.Empty(compilation.GetDeclarationDiagnostics()
                .Where(each => each.Severity == DiagnosticSeverity.Error && each.Id != "CS0534"));
            long start = Stopwatch.GetTimestamp();

            GeneratorRunResult result = Compiled.Driver().RunGenerators(compilation).GetRunResult().Results[0];

            double time = Stopwatch.GetElapsedTime(start).TotalMilliseconds;
            string generated = result.GeneratedSources[0].SourceText.ToString();
            output.WriteLine(string.Create(
                CultureInfo.InvariantCulture, $"run {i + 1}: {3 * count} types in {time:F0} ms, {generated.Length} characters"));
            Assert.Empty(result.Diagnostics);
            Assert.Equal(6 * count, generated.Split("rows.Add(").Length - 1);
        }
    }
}
