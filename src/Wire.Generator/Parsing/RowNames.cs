using Microsoft.CodeAnalysis;
using Wire.Analyzers.Symbols;

namespace Wire.Generator.Parsing;

/// <summary>Tells what Wire has for types of .NET: methods of WireRow, as the compilation has them, and types that need no row.</summary>
internal sealed class RowNames
{
    // Rows of types of the program, which have names that types of .NET may have too.
    private static readonly string[] OfProgram = ["Class", "Struct", "Enum", "InlineArray", "NamedCollection", "Surrogate", "Array"];

    // Those that KeepCommon of Wire keeps also where they may be null, and in arrays and lists.
    private static readonly HashSet<string> Scalars =
    [
        "System.Boolean", "System.SByte", "System.Byte", "System.Int16", "System.UInt16", "System.Int32", "System.UInt32", "System.Int64",
        "System.UInt64", "System.Single", "System.Double", "System.Decimal", "System.Char", "System.Guid", "System.DateTime",
        "System.DateTimeOffset", "System.TimeSpan", "System.DateOnly", "System.TimeOnly",
    ];

    // The others that have a tag in the format.
    private static readonly HashSet<string> Tagged =
    [
        "System.Int128", "System.UInt128", "System.IntPtr", "System.UIntPtr", "System.Half", "System.Text.Rune",
        "System.Numerics.Complex", "System.Numerics.BigInteger", "System.String", "System.Uri", "System.Version", "System.Type",
        "System.Object",
    ];

    // Of the namespaces of rows, what needs none.
    private static readonly HashSet<string> WithoutRow =
    [
        "System.Globalization.CultureInfo", "System.Globalization.CompareInfo", "System.Collections.Comparer",
        "System.Collections.CaseInsensitiveComparer",
    ];

    private readonly HashSet<(string Name, int Arity)> _rows = [];

    public RowNames(Compilation compilation)
    {
        if (compilation.GetTypeByMetadataName("Wire.WireRow") is not { } rows)
        {
            return;
        }

        foreach (IMethodSymbol method in rows.GetMembers().OfType<IMethodSymbol>())
        {
            if (method is { IsStatic: true, DeclaredAccessibility: Accessibility.Public, Parameters.IsEmpty: true })
            {
                _rows.Add((method.Name, method.Arity));
            }
        }
    }

    /// <summary>Returns whether a type of .NET has a tag in the format, and is no scalar.</summary>
    public static bool IsTagged(ITypeSymbol type) => Tagged.Contains(type.MetadataName('.'));

    /// <summary>Returns whether a type needs nothing, nor where it may be null, nor in arrays and lists.</summary>
    public static bool IsScalar(ITypeSymbol type) => Scalars.Contains(type.MetadataName('.'));

    /// <summary>Returns the name of the row of a generic type of .NET; null where it has none of its own.</summary>
    public string? OfGeneric(INamedTypeSymbol type)
    {
        if (type.Arity == 0 || type.ContainingType is not null)
        {
            return null;
        }

        string name = type.TypeKind == TypeKind.Interface && type.Name.StartsWith("I", StringComparison.Ordinal)
            ? type.Name.Substring(1)
            : type.Name;
        return Has(name, type.Arity) ? name : null;
    }

    /// <summary>Returns whether a generic type of .NET has a row of its own.</summary>
    public bool Has(string name, int arity) => !OfProgram.Contains(name) && _rows.Contains((name, arity));

    /// <summary>Returns the row of a library of .NET that a class or struct belongs to; null where there is none.</summary>
    public string? OfLibrary(INamedTypeSymbol type)
    {
        string? row = type.TypeKind is TypeKind.Class or TypeKind.Struct ? LibraryOf(type.MetadataName('.'), type.NamespaceName()) : null;
        return row is not null && _rows.Contains((row, 0)) ? row : null;
    }

    // Families.RowOf of Wire has the same table.
    private static string? LibraryOf(string name, string space) => WithoutRow.Contains(name) ? null : space switch
    {
        "System.ComponentModel" or "System.ComponentModel.DataAnnotations" => "Components",
        "System.Data" or "System.Data.SqlTypes" => "Data",
        "System.Dynamic" => "Dynamic",
        "System.Text.Json" or "System.Text.Json.Nodes" => "Json",
        "System.Net" or "System.Net.Http" or "System.Net.Mail" or "System.Net.NetworkInformation" => "Net",
        "System.Text.RegularExpressions" => "Regex",
        "System.Drawing" or "System.Globalization" or "System.Numerics" or "System.Runtime.Intrinsics" or "System.Text" => "Scalars",
        "System.Collections" or "System.Collections.Specialized" => "Untyped",
        "System.Xml.Linq" => "Xml",
        _ => name is "System.TimeZoneInfo" or "System.TimeZoneInfo.TransitionTime" or "System.TimeZoneInfo.AdjustmentRule"
            or "System.OperatingSystem" or "System.UriBuilder" or "System.Reflection.AssemblyName" or "System.IO.MemoryStream"
            or "System.Security.Cryptography.HashAlgorithmName" or "System.Diagnostics.ActivityTraceId"
            or "System.Diagnostics.ActivitySpanId" or "System.Diagnostics.ActivityContext"
            ? "Scalars"
            : null,
    };
}
