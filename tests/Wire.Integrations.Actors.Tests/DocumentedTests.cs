extern alias akka16;

using System.Text.RegularExpressions;
using Akka.Actor;
using Akka.Actor.Setup;
using Akka.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Orleans;
using Orleans.Runtime;
using Orleans.Serialization;
using Proto.Remote;
using Wire.Akka;
using Wire.Comparing;
using Wire.Orleans;
using Wire.ProtoActor;
using Wire.Testing;
using ActorSystem = Akka.Actor.ActorSystem;

namespace Wire.Integrations.Actors.Tests;

/// <summary>The lines to copy from the pages of the adapters, which compile here and do what the pages say.</summary>
public sealed partial class DocumentedTests
{
    [Theory]
    [InlineData("Akka")]
    [InlineData("Akka16")]
    [InlineData("Orleans")]
    [InlineData("ProtoActor")]
    public void Every_snippet_of_an_adapters_page_is_a_region_of_this_file(string adapter)
    {
        string source = File.ReadAllText(
            Path.Combine(Repository.Root, "tests", "Wire.Integrations.Actors.Tests", $"{nameof(DocumentedTests)}.cs"));
        string[] regions = [.. Region().Matches(source).Select(match => Squeezed(match.Groups["text"].Value))];
        string page = File.ReadAllText(Path.Combine(Repository.Root, "integrations", $"Wire.{adapter}", "README.md"));
        string[] snippets = [.. Snippet().Matches(page).Select(match => Squeezed(match.Groups["text"].Value))];
        Assert.NotEmpty(snippets);
        Assert.All(snippets, snippet => Assert.Contains(snippet, regions));
    }

    [Fact]
    public void Akka_in_code()
    {
        Config config = ConfigurationFactory.ParseString("akka.loglevel = OFF, akka.stdout-loglevel = OFF");

        #region Akka in code
        var options = new SerializerOptions
        {
            PreserveObjectReferences = true, // for messages with cycles
            TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<Payment>().AllowDerivedFrom<IDiscount>(), // in members of messages
        };
        var setup = BootstrapSetup.Create().WithConfig(config).And(WireSetup.Create(options, typeof(ShopMessage)));
        using ActorSystem system = ActorSystem.Create("shop", setup);
        #endregion

        OrderPlaced order = Order();
        GraphAssert.Same(order, system.Serialization.Deserialize(system.Serialization.Serialize(order), 119, ""), sharing: true);
    }

    [Fact]
    public void Akka_in_Hocon()
    {
        string page = File.ReadAllText(Path.Combine(Repository.Root, "integrations", "Wire.Akka", "README.md"));
        string bound = $"{typeof(ShopMessage).FullName}, {typeof(ShopMessage).Assembly.GetName().Name}";
        string hocon = HoconSnippet().Match(page).Groups["text"].Value.Replace("Shop.ShopMessage, Shop", bound, StringComparison.Ordinal);
        Config config = ConfigurationFactory.ParseString(hocon + "\nakka.loglevel = OFF, akka.stdout-loglevel = OFF");
        SerializerOptions options = Shop.Options;

        #region Akka, options for Hocon
        var setup = BootstrapSetup.Create().WithConfig(config).And(new WireOptions(options));
        #endregion

        using ActorSystem system = ActorSystem.Create("shop", setup);
        OrderPlaced order = Order();
        GraphAssert.Same(order, system.Serialization.Deserialize(system.Serialization.Serialize(order), 119, ""), sharing: true);
    }

    [Fact]
    public void Akka_of_the_next_version_in_code()
    {
        using var system = (ExtendedActorSystem)ActorSystem.Create("shop", "akka.loglevel = OFF, akka.stdout-loglevel = OFF");

        #region Akka 1.6 in code
        var serializer = new akka16::Wire.Akka16.WireSerializer(system, SerializerOptions.Default, typeof(ShopMessage));
        #endregion

        var cancelled = new OrderCancelled { Reason = "r" };
        GraphAssert.Same(cancelled, serializer.FromBinary(serializer.ToBinary(cancelled), ""));
    }

    [Fact]
    public void Orleans_in_silo_and_client()
    {
        var services = new ServiceCollection();

        #region Orleans
        services.AddSerializer(serializer => serializer.AddWireSerializer(
            new SerializerOptions
            {
                PreserveObjectReferences = true, // for messages with cycles
                TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<Payment>().AllowDerivedFrom<IDiscount>(), // in members
                Surrogates = [Grains],
            },
            typeof(ShopMessage)));
        #endregion

        using ServiceProvider provider = services.BuildServiceProvider();
        Serializer<ShopMessage> serializer = provider.GetRequiredService<Serializer<ShopMessage>>();
        OrderPlaced order = Order();
        GraphAssert.Same(order, serializer.Deserialize(serializer.SerializeToArray(order)), sharing: true);
    }

    [Fact]
    public void Proto_Actor()
    {
        #region Proto.Actor, options
        var options = new SerializerOptions
        {
            PreserveObjectReferences = true, // for messages with cycles
            TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<Payment>().AllowDerivedFrom<IDiscount>(), // in members of messages
        };
        #endregion

        #region Proto.Actor
        var config = RemoteConfig.BindToLocalhost().WithWireSerializer(options, typeof(ShopMessage));
        #endregion

        OrderPlaced order = Order();
        (Google.Protobuf.ByteString bytes, string name, int id) = config.Serialization.Serialize(order);
        GraphAssert.Same(order, config.Serialization.Deserialize(name, bytes, id), sharing: true);
    }

    #region Orleans, references to grains
    internal static readonly Surrogate Grains = Surrogate.Create<IAddressable, (string Grain, string Interface), IServiceProvider>(
        (grain, _) => (((GrainReference)grain).GrainId.ToString(), ((GrainReference)grain).InterfaceType.ToString()!),
        (parts, services) => services.GetRequiredService<IGrainFactory>().GetGrain(
            GrainId.Parse(parts.Grain, null), GrainInterfaceType.Create(parts.Interface)));
    #endregion

    // What a page's options allow: notes of the program's own types need a rule of their own.
    private static OrderPlaced Order()
    {
        OrderPlaced order = Shop.Order();
        order.Notes = ["a", 1];
        return order;
    }

    // Both versions of Akka are here, and programs have one.
    private static string Squeezed(string text) =>
        Blanks().Replace(text, " ").Replace("akka16::Wire.Akka16.", "", StringComparison.Ordinal).Trim();

    [GeneratedRegex(@"#region [^\n]*\n(?<text>.*?)\n[ \t]*#endregion", RegexOptions.Singleline)]
    private static partial Regex Region();

    [GeneratedRegex(@"```csharp\n(?<text>.*?)```", RegexOptions.Singleline)]
    private static partial Regex Snippet();

    [GeneratedRegex(@"```hocon\n(?<text>.*?)```", RegexOptions.Singleline)]
    private static partial Regex HoconSnippet();

    [GeneratedRegex(@"\s+")]
    private static partial Regex Blanks();
}
