using Wire.Testing.Fuzzing;

namespace Wire.Tests.Hostile.Fuzzing;

/// <summary>Every input that once broke a promise keeps all of them. docs/fuzzing.md says how a finding becomes a vector.</summary>
public class RegressionTests
{
    private const string Project = "Wire.Tests";

    public static TheoryData<string> Files() => [.. Regression.FilesOf(Project).Select(file => Path.GetFileName(file)!)];

    [Theory]
    [MemberData(nameof(Files))]
    public void The_input_breaks_no_promise(string file) =>
        TargetAssert.BreaksNoPromise(Targets.All, Path.Combine(Regression.FolderOf(Project), file));

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
