using Wire.Testing;

namespace Wire.Gates.Tests;

/// <summary>
/// The public surface of each library is what its file in <c>PublicApi</c> lists: a change to it is made on purpose and seen in review.
/// </summary>
public sealed class PublicApiTests
{
    public static TheoryData<string> Names() => [.. Libraries.Referenced];

    [Theory]
    [MemberData(nameof(Names))]
    public void The_public_surface_is_the_approved_one(string library) => Approved.AssertEqual(
        Repository.Tests("Wire.Gates.Tests", "PublicApi", $"{library}.approved.txt"), PublicApi.Of(Libraries.Load(library)));

    // The codecs of each protocol have a namespace of their own.
    [Theory]
    [MemberData(nameof(Names))]
    public void Everything_public_is_in_the_namespace_of_the_library(string library) => Assert.All(
        Libraries.Load(library).GetExportedTypes(),
        type => Assert.True(
            type.Namespace == library
                || (library == "Wire.Amqp" && type.Namespace!.StartsWith("Wire.Amqp.", StringComparison.Ordinal))
                || (library is "Wire.FSharp" or "Wire.Inspection" && type.Namespace == "Wire"),
            type.FullName));
}
