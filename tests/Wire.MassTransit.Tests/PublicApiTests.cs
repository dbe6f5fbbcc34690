using Wire.Testing;

namespace Wire.MassTransit.Tests;

/// <summary>
/// The public surface is what <c>PublicApi.approved.txt</c> lists: a change to it is made on purpose and seen in review.
/// <c>WIRE_API_WRITE=1 dotnet test</c> writes the list anew.
/// </summary>
public sealed class PublicApiTests
{
    [Fact]
    public void The_public_surface_is_the_approved_one() =>
        PublicApi.AssertApproved(typeof(WireSerializerFactory).Assembly, "Wire.MassTransit.Tests");

    [Fact]
    public void Everything_public_is_in_the_namespace_of_the_library() =>
        Assert.All(typeof(WireSerializerFactory).Assembly.GetExportedTypes(), type => Assert.Equal("Wire.MassTransit", type.Namespace));
}
