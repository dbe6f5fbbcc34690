using Wire.Testing;

namespace Wire.Tests.Golden;

/// <summary>The vectors in <c>tests/Compat</c> are never edited: each version has a list of their hashes.</summary>
public sealed class CompatTests
{
    public static TheoryData<string> Versions() => [.. GoldenVectors.Versions.Select(version => Path.GetFileName(version))];

    // New vectors are written while this test runs.
    [Theory]
    [MemberData(nameof(Versions))]
    public void No_vector_is_changed_or_taken_away(string version)
    {
        Assert.NotEmpty(GoldenVectors.HashesOf(version));
        if (!GoldenVectors.IsWriting)
        {
            Assert.Equal(GoldenVectors.ActualHashesOf(version), GoldenVectors.HashesOf(version));
        }
    }
}
