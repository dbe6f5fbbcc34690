using System.Xml.Linq;
using Wire.Packages.Tests.Feeds;

namespace Wire.Packages.Tests;

/// <summary>The XML documentation in packages, which editors show.</summary>
[Collection(PackagesCollection.Name)]
public sealed class DocumentationTests(PackageFeed feed)
{
    /// <summary>The packages.</summary>
    public static TheoryData<string> Ids => [.. PackageFeed.Libraries];

    [Theory]
    [MemberData(nameof(Ids))]
    public void Only_what_others_see_is_documented(string id)
    {
        PackedPackage package = feed.Package(id);
        HashSet<string> types = [.. Facts(package).SelectMany(assembly => assembly.Types)];
        HashSet<string> members = [.. Facts(package).SelectMany(assembly => assembly.Members)];

        Assert.All(package.Documentation.Keys, name => Assert.Contains(
            name[2..].Split('(')[0].Split("``")[0], name.StartsWith("T:", StringComparison.Ordinal) ? types : members));
    }

    [Theory]
    [MemberData(nameof(Ids))]
    public void Each_type_that_others_see_is_documented(string id)
    {
        PackedPackage package = feed.Package(id);
        Dictionary<string, XElement> documentation = package.Documentation;

        Assert.All(
            Facts(package).SelectMany(assembly => assembly.Types), type => Assert.True(documentation.ContainsKey($"T:{type}"), type));
        Assert.All(documentation.Values, member => Assert.True(
            member.Elements("summary").Any() || member.Elements("inheritdoc").Any(), $"{member.Attribute("name")!.Value} says nothing"));
    }

    [Theory]
    [MemberData(nameof(Ids))]
    public void Notes_of_partial_files_stay_in_the_sources(string id) =>
        Assert.DoesNotContain(feed.Package(id).Documentation.Values, member => member.Descendants("content").Any());

    [Fact]
    public void What_is_referred_to_is_documented()
    {
        HashSet<string> documented = [.. PackageFeed.Libraries.SelectMany(id => feed.Package(id).Documentation.Keys)];
        string[] references = [.. PackageFeed.Libraries.SelectMany(id => feed.Package(id).Documentation.Values)
            .SelectMany(member => member.Descendants().Attributes("cref"))
            .Select(cref => cref.Value)
            .Where(cref => cref.Split(':')[1].StartsWith("Wire.", StringComparison.Ordinal))
            .Distinct()];

        Assert.InRange(references.Length, 100, int.MaxValue);
        Assert.All(references, reference => Assert.Contains(reference, documented));
    }

    [Fact]
    public void What_is_inherited_from_an_internal_member_stands_in_its_place()
    {
        XElement password = feed.Package("WireSerializer.Amqp.Client").Documentation["P:Wire.Amqp.Client.AmqpConnectionOptions.Password"];

        Assert.Empty(password.Elements("inheritdoc"));
        Assert.StartsWith("The user's password", password.Element("summary")!.Value.Trim(), StringComparison.Ordinal);
    }

    private static IEnumerable<AssemblyFacts> Facts(PackedPackage package) => package.Assemblies.Select(bytes => new AssemblyFacts(bytes));
}
