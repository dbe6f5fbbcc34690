using System.Reflection;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Wire.Analyzers.Messages;

namespace Wire.Analyzers.Tests;

/// <summary>The table of refused types against the serializer: no value of a type that it has is written.</summary>
public sealed class RefusedTypesTests
{
    [Fact]
    public void What_the_rule_refuses_the_serializer_refuses()
    {
        var compilation = CSharpCompilation.Create("all", references: Check.Libraries);
        var refused = new RefusedTypes(new UsedOptions());
        var serializer = new Serializer();
        Type[] types =
        [
            .. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
                .Where(path => Path.GetFileName(path).StartsWith("System.", StringComparison.Ordinal))
                .SelectMany(path => Assembly.Load(Path.GetFileNameWithoutExtension(path)).GetExportedTypes())
                .Where(type => type is { IsAbstract: false, IsGenericTypeDefinition: false, IsByRefLike: false }),
        ];

        int found = 0;
        var written = new List<string>();
        foreach (Type type in types)
        {
            if (compilation.GetTypeByMetadataName(type.FullName!) is { } symbol && refused.Find(symbol) is not null)
            {
                found++;
                if (Record.Exception(() => serializer.Prepare(type)) is not UnsupportedTypeException)
                {
                    written.Add(type.FullName!);
                }
            }
        }

        Assert.Empty(written);
        Assert.InRange(found, 200, int.MaxValue);
    }
}
