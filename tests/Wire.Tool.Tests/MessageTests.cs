using Wire.Testing;

namespace Wire.Tool.Tests;

/// <summary>
/// The messages of the tool are what <c>Messages.approved.txt</c> lists: a new one is read beside all others.
/// <c>WIRE_MESSAGES_WRITE=1 dotnet test</c> writes the list anew.
/// </summary>
public sealed class MessageTests
{
    [Fact]
    public void The_messages_are_the_approved_ones() => MessageTexts.AssertApproved("Wire.Tool", "Wire.Tool.Tests");

    [Fact]
    public void Nothing_is_public() => Assert.Empty(typeof(WireTool).Assembly.GetExportedTypes());
}
