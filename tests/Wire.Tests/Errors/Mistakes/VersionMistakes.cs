using static Wire.Tests.Errors.Mistakes.Mistake;

namespace Wire.Tests.Errors.Mistakes;

/// <summary>Types that writer and reader have otherwise, and contracts that say so.</summary>
internal static class VersionMistakes
{
    public static Mistake[] All =>
    [
        Change<Holder<int>, Holder<string>>(
            "a number that became a text",
            new() { Value = 1 },
            "Value",
            "add another member for the new one"),
        Change<Holder<string>, Holder<DateTime>>(
            "a text that became a date",
            new() { Value = "a" },
            "Value",
            "add another member for the new one"),
        Change<Holder<long>, Holder<int>>(
            "a number that no longer fits",
            new() { Value = long.MaxValue },
            "Value",
            "Declare a type that holds it"),
        Change<Holder<double>, Holder<decimal>>(
            "a float that became a decimal",
            new() { Value = 1 },
            "Value",
            "add another member for the new one"),
        Change<Holder<int[]>, Holder<int>>(
            "a list that became a number",
            new() { Value = [1] },
            "Value",
            "add another member for the new one"),
        Change<Holder<int[]>, Holder<Dictionary<int, int>>>(
            "a list that became a map",
            new() { Value = [1] },
            "Value",
            "give it the old type again"),
        Change<Holder<int[]>, Holder<HashSet<int>>>(
            "a list with something twice that became a set",
            new() { Value = [1, 1] },
            "Value",
            "declare the sequence again"),
        Change<Holder<State>, Holder<Renamed>>(
            "a name of an enum whose number another has",
            new() { Value = State.Open },
            "in Value",
            "its old name by [WireName]"),
        Change<Holder<int?>, Holder<int>>("null where nothing is null any more", new(), "Value", "Declare it as int?"),
        Change<Placed, Other>("no member in common", new Placed(1, "Ann"), "Mistakes.Other", "[WireName]"),
        new("a contract that is no contract", () => InFile("hello.contract", Load), "hello.contract: Line 1", "WireContract.Save"),
        new("a contract that a change breaks", () => InFile("shop.contract", Break), "Value", "WIRE_CONTRACT_ACCEPT"),
    ];

    private static Mistake Change<TOld, TNew>(string what, TOld value, string where, string next) => new(
        what,
        () => Naming(TypeAliases.None.Alias<TNew>("T")).Deserialize<TNew>(Naming(TypeAliases.None.Alias<TOld>("T")).Serialize(value)),
        where,
        next);

    private static void Load(string path)
    {
        File.WriteAllText(path, "hello");
        WireContract.Load(path);
    }

    private static void Break(string path)
    {
        WireContract.From(Naming(TypeAliases.None.Alias<Holder<int>>("T")), typeof(Holder<int>)).Save(path);
        WireContract.Verify(path, Naming(TypeAliases.None.Alias<Holder<string>>("T")), typeof(Holder<string>));
    }

    private static void InFile(string name, Action<string> action)
    {
        DirectoryInfo folder = Directory.CreateTempSubdirectory("wire-mistake-");
        try
        {
            action(Path.Combine(folder.FullName, name));
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }
}
