using Wire.Resolution;

namespace Wire.Contracting;

/// <summary>The lines to paste against a type whose name the reader does not have.</summary>
internal static class ContractRemedies
{
    /// <summary>Returns the line by which a program reads a name as its own type.</summary>
    /// <param name="from">The type of the payload.</param>
    /// <param name="to">The type of the program.</param>
    public static string Redirect(ContractType from, ContractType to) =>
        $"TypeAliases.Redirect(\"{Definition(from.Name)}\", typeof({Open(to.Key)}))";

    /// <summary>Returns the line by which a program writes a type by the name that its readers have, or else what the readers do.</summary>
    /// <param name="written">The type that is written.</param>
    /// <param name="read">The type of the readers.</param>
    public static string Rename(ContractType written, ContractType read)
    {
        string name = Definition(read.Name);
        int tick = name.IndexOf('`', StringComparison.Ordinal);
        string given = tick < 0 || name.Contains(',', StringComparison.Ordinal) ? name : name[..tick];
        // The name of a class without a [WireName] has its assembly, which none that is given can have.
        return given.AsSpan().ContainsAny(TypeNames.ReservedCharacters)
            ? $"{Redirect(written, read)} in the readers, before anybody writes the new name, if it is the old {read.Key}; "
                + "or keep the old name of the class"
            : $"[WireName(\"{given}\")] on {Open(written.Key)}, if it is the old {read.Key}";
    }

    // The name of a constructed type has its arguments between the first bracket and the last one.
    private static string Definition(string name)
    {
        int begin = name.IndexOf('[', StringComparison.Ordinal);
        return begin < 0 ? name : name.Remove(begin, name.LastIndexOf(']') + 1 - begin);
    }

    // As C# has the definition: without arguments, and with a point in front of a nested type.
    private static string Open(string key)
    {
        (string definition, string[] arguments) = ContractWords.Split(key);
        return definition.Replace('+', '.') + (arguments.Length == 0 ? "" : $"<{new string(',', arguments.Length - 1)}>");
    }
}
