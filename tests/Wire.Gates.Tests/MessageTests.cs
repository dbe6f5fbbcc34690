using Wire.Testing;

namespace Wire.Gates.Tests;

/// <summary>The messages of each library are what its file in <c>Messages</c> lists: a new one is read beside all others.</summary>
public sealed class MessageTests
{
    public static TheoryData<string> Names() => [.. Libraries.All];

    [Theory]
    [MemberData(nameof(Names))]
    public void The_messages_are_the_approved_ones(string library) => Approved.AssertEqual(
        Repository.Tests("Wire.Gates.Tests", "Messages", $"{library}.approved.txt"), MessageTexts.Of(Libraries.Sources(library)));
}
