namespace Wire.Tests.Behaviour.Versions.Changes;

/// <summary>The table of changes, in the order of docs/changes.md.</summary>
internal static class AllChanges
{
    public static (string Title, Change[] Changes)[] Groups { get; } =
    [
        ("Members", [.. MemberChanges.All]),
        ("Added members", [.. AddedMemberChanges.All]),
        ("Base classes", [.. BaseClassChanges.All]),
        ("Numbers", [.. NumberChanges.All]),
        ("Enums", [.. EnumChanges.All]),
        ("Text, dates and others", [.. TextChanges.All]),
        ("Collections and tuples", [.. CollectionChanges.All]),
        ("Types", [.. TypeChanges.All]),
        ("Options and custom code", [.. CustomCodeChanges.All]),
    ];

    public static IEnumerable<Change> All => Groups.SelectMany(group => group.Changes);

    public static Change Find(string group, string name) =>
        Groups.Single(each => each.Title == group).Changes.Single(change => change.Name == name);
}
