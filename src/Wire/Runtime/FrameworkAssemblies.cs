using System.Reflection;
using System.Runtime.CompilerServices;

namespace Wire.Runtime;

/// <summary>The assemblies that are part of .NET, by the keys that they are signed with.</summary>
internal static class FrameworkAssemblies
{
    // As they stand in the names of assemblies: to parse those takes code that nothing else needs before the first message.
    private static readonly string[] Tokens = ["7cec85d7bea7798e", "b03f5f7f11d50a3a", "b77a5c561934e089", "cc7b13ffcd2ddd51"];

    // An assembly makes its name again each time it is asked.
    private static readonly ConditionalWeakTable<Assembly, object> Known = [];

    /// <summary>Returns whether an assembly is part of .NET.</summary>
    public static bool Contains(Assembly assembly) => (bool)Known.GetValue(assembly, HasFrameworkToken);

    /// <summary>Returns whether the public key token of a reference to an assembly is one of theirs.</summary>
    public static bool HasKey(byte[] token) => Array.IndexOf(Tokens, Convert.ToHexStringLower(token)) >= 0;

    private static object HasFrameworkToken(Assembly assembly) => AssemblyIdentity.HasToken(assembly, Tokens);
}
