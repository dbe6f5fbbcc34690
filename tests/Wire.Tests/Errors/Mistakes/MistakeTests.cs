using System.Text;
using System.Text.RegularExpressions;
using Wire.Testing;

namespace Wire.Tests.Errors.Mistakes;

/// <summary>
/// What a program that makes a mistake is told: one error that names the place, the reason and the next step. <c>Mistakes.approved.txt</c>
/// has all of them, to be read by somebody who does not know the code.
/// </summary>
public sealed class MistakeTests
{
    private static Mistake[] All =>
    [
        .. FilterMistakes.All, .. TypeMistakes.All, .. OptionMistakes.All, .. InputMistakes.All, .. VersionMistakes.All,
        .. SessionMistakes.All,
    ];

    [Fact]
    public void Each_is_an_error_that_names_the_place_and_the_next_step()
    {
        Assert.InRange(All.Length, 90, int.MaxValue);
        Assert.Equal(All.Length, All.Select(mistake => mistake.What).Distinct().Count());
        Assert.All(All, mistake =>
        {
            Exception e = Error(mistake);
            Assert.Contains(mistake.Where, e.Message, StringComparison.Ordinal);
            Assert.Contains(mistake.Next, e.Message, StringComparison.Ordinal);
        });
    }

    [Fact]
    public void The_texts_are_those_that_were_read()
    {
        var page = new StringBuilder();
        foreach (Mistake mistake in All)
        {
            Exception e = Error(mistake);
            page.Append(mistake.What).Append('\n').Append("    ").Append(e.GetType().Name).Append(": ").Append(Message(e)).Append("\n\n");
        }

        Approved.AssertEqual(Repository.Tests("Wire.Tests", "Errors", "Mistakes", "Mistakes.approved.txt"), page.ToString());
    }

    // The folder of a file and the number of a compiler's type are others each time.
    private static string Message(Exception e) => Regex.Replace(
        Regex.Replace(e.Message, "/[^ ]*/([a-z]+.contract)", "$1"), "AnonymousType[0-9]+", "AnonymousType0");

    private static Exception Error(Mistake mistake)
    {
        Exception? e = Record.Exception(mistake.Make);
        Assert.True(e is not null, $"{mistake.What}: nothing is said");
        Assert.True(
            e is WireFormatException or UnsupportedTypeException or ArgumentException or InvalidOperationException or ObjectGraphException
                or FormatException or IOException or KeyNotFoundException
                or ContractChangedException,
            $"{mistake.What}: {e}");
        return e;
    }
}
