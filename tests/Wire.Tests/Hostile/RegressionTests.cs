using Xunit;

namespace Wire.Tests.Hostile;

/// <summary>Every input that once broke a promise keeps all of them. docs/fuzzing.md says how a finding becomes a vector.</summary>
public class RegressionTests
{
    public static TheoryData<string> Files() => [.. Directory.GetFiles(Regression.Folder, "*.txt").Select(file => Path.GetFileName(file)!).Order(StringComparer.Ordinal)];

    [Theory]
    [MemberData(nameof(Files))]
    public void The_input_breaks_no_promise(string file)
    {
        Regression regression = Regression.Read(Path.Combine(Regression.Folder, file));
        Target target = Targets.Find(regression.Target);
        foreach (Seed seed in target.Seeds)
        {
            target.Read(seed.Bytes);
        }

        Finding? finding = Oracle.Judge(target, regression.Input).Finding ?? Oracle.Probe(target);
        Assert.True(finding is null, $"{finding?.Signature}\n{finding?.Message}");
    }

    [Fact]
    public void A_vector_is_written_as_it_is_read()
    {
        string folder = Path.Combine(Path.GetTempPath(), Path.GetRandomFileName());
        try
        {
            byte[] input = [.. Enumerable.Range(0, 100).Select(i => (byte)i)];
            Regression read = Regression.Read(new Regression("session, emitted", "a\nb", input).Write(folder));
            Assert.Equal(("session, emitted", "a b"), (read.Target, read.Found));
            Assert.Equal(input, read.Input);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }
}
