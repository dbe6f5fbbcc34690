using System.Collections.Frozen;
using System.Globalization;
using Wire.Tool.Running;

namespace Wire.Tool.Checking;

/// <summary>Writes the options that a program needs to read payloads, as C#.</summary>
internal static class OptionsCode
{
    private static readonly FrozenSet<string> OfFramework =
        FrameworkSurrogates.All.Select(surrogate => surrogate.SourceType.FullName!).ToFrozenSet(StringComparer.Ordinal);

    /// <summary>Writes the code.</summary>
    public static void Write(TextWriter output, Findings findings)
    {
        var rules = new TypeRules();
        foreach (string name in findings.Types)
        {
            rules.Add(name);
        }

        string limits = Limits(findings);
        if (rules.Code.Count == 0 && rules.Others.Count == 0 && limits.Length == 0 && findings.KnownTypes.Count == 0
            && findings.Surrogates.Count == 0 && !findings.HasFSharp)
        {
            output.WriteLine("The default options read it.");
            return;
        }

        output.WriteLine("Options that read it as object. The type that a program asks for needs no line, nor do those that it declares.");
        output.WriteLine();
        output.WriteLine("new SerializerOptions");
        output.WriteLine("{");
        WriteFilter(output, rules);
        if (findings.KnownTypes.Count > 0)
        {
            string identifiers = string.Join(", ", findings.KnownTypes.Take(50));
            output.WriteLine($"    // KnownTypes as the writer has them, with the identifier(s) {identifiers}");
        }

        WriteSurrogates(output, findings.Surrogates);
        if (findings.HasMoreTypes)
        {
            output.WriteLine("    // There are more types: only 10,000 are listed.");
        }

        if (limits.Length > 0)
        {
            output.WriteLine($"    Limits = new Limits {{ {limits} }},");
        }

        output.WriteLine(findings.HasFSharp ? "}.UseFSharp() // of the package WireSerializer.FSharp" : "}");
    }

    private static void WriteSurrogates(TextWriter output, SortedSet<string> surrogates)
    {
        string[] others = [.. surrogates.Where(name => !OfFramework.Contains(name))];
        foreach (string other in others)
        {
            output.WriteLine(
                $"    // The surrogate that the writer has, or UseSerializable = true for an ISerializable: {PlainText.Show(other)}");
        }

        if (others.Length < surrogates.Count)
        {
            output.WriteLine("    Surrogates = [.. FrameworkSurrogates.All],");
        }
    }

    private static void WriteFilter(TextWriter output, TypeRules rules)
    {
        foreach (string other in rules.Others)
        {
            output.WriteLine($"    // Allow the type that the program knows as: {other}");
        }

        if (rules.Code.Count > 0)
        {
            output.WriteLine("    TypeFilter = WireTypeFilter.Default");
            output.WriteLine($"        {string.Join("\n        ", rules.Code.Select(code => $".Allow(typeof({code}))"))},");
        }
    }

    private static string Limits(Findings findings)
    {
        Limits standard = Wire.Limits.Default;
        (string Name, long Found, long Limit)[] limits =
        [
            (nameof(Wire.Limits.MaxDepth), findings.Levels, standard.MaxDepth),
            (nameof(Wire.Limits.MaxObjects), findings.Objects, standard.MaxObjects),
            (nameof(Wire.Limits.MaxManifests), findings.Definitions, standard.MaxManifests),
            (nameof(Wire.Limits.MaxManifestBytes), findings.DefinitionBytes, standard.MaxManifestBytes),
            (nameof(Wire.Limits.MaxFrameBytes), findings.IsFramed ? findings.LargestPayload : 0, standard.MaxFrameBytes),
        ];
        return string.Join(", ", limits.Where(limit => limit.Found > limit.Limit).Select(limit =>
            $"{limit.Name} = {limit.Found.ToString("N0", CultureInfo.InvariantCulture).Replace(',', '_')}"));
    }
}
