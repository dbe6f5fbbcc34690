using Wire.Comparing;
using Wire.Testing;

namespace Wire.Tests.Behaviour.Versions.Changes;

/// <summary>
/// Each change is read, with the value that is written here, or refused with an error that names it. What is read and is not what was
/// written is reported by the reader: no change loses data in silence.
/// </summary>
public sealed class ChangeTests
{
    public static TheoryData<string, string> Names()
    {
        var names = new TheoryData<string, string>();
        foreach ((string title, Change[] changes) in AllChanges.Groups)
        {
            foreach (Change change in changes)
            {
                names.Add(title, change.Name);
            }
        }

        return names;
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void A_change_has_its_outcome(string group, string name)
    {
        Change change = AllChanges.Find(group, name);
        Assert.NotEmpty(change.Readings);
        foreach ((int i, Reading reading) in change.Readings.Index())
        {
            foreach (bool dynamicCode in new[] { true, false })
            {
                foreach (bool isInSession in new[] { false, true })
                {
                    // One with emitted code and one by reflection: the one alone, and the other in a session.
                    if (Sweep.IsWhole || isInSession == (dynamicCode == ((name.Length + i) % 2 == 0)))
                    {
                        Check(change, reading, dynamicCode, isInSession);
                    }
                }
            }
        }
    }

    [Fact]
    public void There_are_about_a_hundred_changes() => Assert.InRange(AllChanges.All.Count(), 100, 200);

    private static void Check(Change change, Reading reading, bool dynamicCode, bool isInSession)
    {
        string where = $"{(reading.IsByNew ? "new" : "old")} release reads {reading.Words}, dynamic code {dynamicCode}, " +
            $"session {isInSession}";
        List<string> differences = [];
        IReadOnlyList<MessageResult> results = ChangeRun.Run(change, reading, dynamicCode, isInSession, differences);
        for (int i = 0; i < results.Count; i++)
        {
            CheckResult(reading, results[i], isFirst: i == 0, $"{where}, message {i}");
        }

        if (reading.Error is null)
        {
            string[] lost = [.. Loss.Between(reading.Written, results[^1].Value).Except(differences)];
            Assert.True(
                lost.Length == 0,
                $"{where}: lost without a report: {string.Join(", ", lost)}; " +
                $"reported: {string.Join(", ", differences)}");
            Assert.Equal(differences.Distinct(), differences);
        }
    }

    private static void CheckResult(Reading reading, MessageResult result, bool isFirst, string where)
    {
        if (reading.Error is null)
        {
            Assert.True(result.Error is null, $"{where}: {result.Error}");
            GraphAssert.Same(reading.Expected, result.Value);
            return;
        }

        Assert.True(result.Error is not null, $"{where}: read {result.Value}");

        // In a session, what could not be passed over takes its definitions along.
        bool isLost = !isFirst && result.Error.Error == WireFormatError.UnknownManifest;
        Assert.True(isLost || reading.Error == result.Error.Error, $"{where}: {result.Error.Error}, {result.Error.Message}");
        foreach (string part in isLost ? [] : reading.MessageParts)
        {
            Assert.Contains(part, result.Error.Message, StringComparison.Ordinal);
        }
    }
}
