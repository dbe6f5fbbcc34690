using System.Collections.Concurrent;
using System.Globalization;
using System.Reflection;
using System.Reflection.Metadata;
using System.Runtime.CompilerServices;

namespace Wire.Runtime;

/// <summary>
/// The name and key of an assembly, from its full name. An <see cref="AssemblyName"/> has a culture, for which the runtime loads its
/// globalization libraries: expensive where nothing else needs them.
/// </summary>
internal static class AssemblyIdentity
{
    private const string Token = ", PublicKeyToken=";

    /// <summary>
    /// Returns whether an assembly of native code can say its name: one of translated texts, which native code lists too, cannot where
    /// cultures are left out.
    /// </summary>
    public static bool HasName(Assembly assembly)
    {
        try
        {
            return FullNames.Of(assembly) is not null;
        }
        catch (CultureNotFoundException)
        {
            return false;
        }
    }

    /// <summary>The simple name.</summary>
    public static string? NameOf(Assembly assembly) =>
        Plain(assembly) is { } name && name.IndexOf(',', StringComparison.Ordinal) is > 0 and int end
            ? name[..end]
            : assembly.GetName().Name;

    /// <summary>Returns whether the simple name of the assembly, at the end of a type's name, can be parsed back.</summary>
    public static bool IsReadable(string assembly) => PlainName.IsPlain(assembly) || IsParsedBack(assembly);

    /// <summary>Returns whether the assembly has one of some public key tokens, in hexadecimal digits.</summary>
    public static bool HasToken(Assembly assembly, string[] tokens)
    {
        if (Plain(assembly) is not { } name || name.IndexOf(Token, StringComparison.Ordinal) is var at && at < 0)
        {
            return Array.IndexOf(tokens, Convert.ToHexStringLower(assembly.GetName().GetPublicKeyToken() ?? [])) >= 0;
        }

        string token = name[(at + Token.Length)..];
        int end = token.IndexOf(',', StringComparison.Ordinal);
        return Array.IndexOf(tokens, end < 0 ? token : token[..end]) >= 0;
    }

    // Apart, because the parser is in an assembly of its own, which most programs never load.
    private static bool IsParsedBack(string assembly) => !assembly.AsSpan().ContainsAny('[', ']')
        && AssemblyNameInfo.TryParse(assembly, out AssemblyNameInfo? parsed)
        && parsed.Name == assembly;

    // A name with escaped characters could look like another one.
    private static string? Plain(Assembly assembly) =>
        (RuntimeFeature.IsDynamicCodeSupported ? assembly.FullName : FullNames.Of(assembly)) is { } name
            && !name.Contains('\\') && !name.Contains('"')
            ? name
            : null;

    // Of native code, where an assembly makes its name again each time it is asked, with a hash of its key.
    private static class FullNames
    {
        private static readonly ConcurrentDictionary<Assembly, string?> Known = [];

        public static string? Of(Assembly assembly) => Known.GetOrAdd(assembly, static named => named.FullName);
    }
}
