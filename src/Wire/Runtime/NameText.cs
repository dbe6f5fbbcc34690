using System.Text;

namespace Wire.Runtime;

/// <summary>The text of names that a program gives to types and members.</summary>
internal static class NameText
{
    /// <summary>The words of messages about a name that is not well formed.</summary>
    public const string Malformed =
        "has half of a surrogate pair, or U+FFFD, which stands for one: payloads are UTF-8, which has no such halves.";

    /// <summary>Checks a name that is given to a member, or to a value of an enum.</summary>
    /// <param name="type">The type that has it.</param>
    /// <param name="member">What the program calls it.</param>
    /// <param name="name">The name.</param>
    /// <exception cref="UnsupportedTypeException">It is not well formed.</exception>
    public static void Check(Type type, string member, string name)
    {
        if (!IsWellFormed(name))
        {
            throw new UnsupportedTypeException(
                type, $"the [WireName(\"{name}\")] of its member '{member}' {Malformed} Give it another name.");
        }
    }

    /// <summary>Returns whether a name has no half of a surrogate pair, and nothing that stands for one.</summary>
    /// <remarks>
    /// Such a half in an attribute is two U+FFFD to a program with a JIT compiler, and three to a native one, whose names in payloads would
    /// differ. In a payload it is one, so that no alias with a half would be found again.
    /// </remarks>
    public static bool IsWellFormed(string name)
    {
        foreach (Rune rune in name.EnumerateRunes())
        {
            if (rune == Rune.ReplacementChar)
            {
                return false;
            }
        }

        return true;
    }
}
