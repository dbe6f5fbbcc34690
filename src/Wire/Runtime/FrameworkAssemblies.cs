using System.Reflection;
using System.Runtime.CompilerServices;

namespace Wire.Runtime;

/// <summary>The assemblies that are part of .NET, by the keys that they are signed with.</summary>
internal static class FrameworkAssemblies
{
    private static readonly byte[][] Tokens =
    [
        [0x7c, 0xec, 0x85, 0xd7, 0xbe, 0xa7, 0x79, 0x8e],
        [0xb0, 0x3f, 0x5f, 0x7f, 0x11, 0xd5, 0x0a, 0x3a],
        [0xb7, 0x7a, 0x5c, 0x56, 0x19, 0x34, 0xe0, 0x89],
        [0xcc, 0x7b, 0x13, 0xff, 0xcd, 0x2d, 0xdd, 0x51],
    ];

    // An assembly makes its name again each time it is asked.
    private static readonly ConditionalWeakTable<Assembly, object> Known = [];

    /// <summary>Says whether an assembly is part of .NET.</summary>
    public static bool Contains(Assembly assembly) => (bool)Known.GetValue(assembly, HasFrameworkToken);

    private static object HasFrameworkToken(Assembly assembly)
    {
        byte[] token = AssemblyIdentity.TokenOf(assembly);
        return token.Length > 0 && Array.Exists(Tokens, known => known.AsSpan().SequenceEqual(token));
    }
}
