using Versions;

namespace Wire.Tests.Documentation;

/// <summary>The releases of docs/versioning.md read each other as the page says.</summary>
public sealed class VersionsSampleTests
{
    [Fact]
    public void Four_releases_read_each_other_as_the_page_says() => Assert.True(Matrix.Run());

    [Fact]
    public void Two_services_deploy_in_either_order() => Assert.True(Deployments.Run());
}
