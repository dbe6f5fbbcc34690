using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Orleans;
using Orleans.Hosting;
using Orleans.Serialization;
using Orleans.TestingHost;
using Wire.Comparing;
using Wire.Orleans;
using Wire.Testing;

namespace Wire.Integrations.Actors.Tests.Orleans;

/// <summary>Calls of grains in two silos from a client.</summary>
public sealed class SiloTests : IAsyncLifetime
{
    private readonly TestCluster _cluster = new TestClusterBuilder(2)
        .AddSiloBuilderConfigurator<Configurator>().AddClientBuilderConfigurator<Configurator>().Build();

    public Task InitializeAsync() => _cluster.DeployAsync();

    public async Task DisposeAsync()
    {
        await _cluster.StopAllSilosAsync();
        await _cluster.DisposeAsync();
    }

    [Fact]
    public async Task Grains_take_and_give_messages_without_attributes()
    {
        OrderPlaced order = Shop.Order();
        for (int key = 0; key < 10; key++)
        {
            IDesk desk = _cluster.Client.GetGrain<IDesk>(key);
            ShopMessage? before = await desk.Swap(order).InTime();
            Assert.Null(before);
            object after = (await desk.Swap(new OrderCancelled { Reason = "r" }).InTime())!;
            Assert.NotSame(order, after);
            GraphAssert.Same(order, after, sharing: true);
        }
    }

    [Fact]
    public async Task A_grain_hands_its_messages_to_another_grain_as_copies()
    {
        IDesk desk = _cluster.Client.GetGrain<IDesk>(100);
        await desk.Swap(Shop.Order()).InTime();
        Assert.True(await desk.HandOn(_cluster.Client.GetGrain<IDesk>(101)).InTime());
        GraphAssert.Same(Shop.Order(), await _cluster.Client.GetGrain<IDesk>(101).Swap(null).InTime(), sharing: true);
    }

    [Fact]
    public async Task A_type_that_is_not_allowed_fails_the_call_and_the_next_call_works()
    {
        IDesk desk = _cluster.Client.GetGrain<IDesk>(200);
        var failed = await Assert.ThrowsAsync<SerializerException>(
            () => desk.Swap(new Parcel { Content = new Intruder { Text = "let me in" } }).InTime());
        var cause = Assert.IsType<TypeRefusedException>(failed.InnerException);
        Assert.StartsWith(typeof(Intruder).FullName!, cause.TypeName, StringComparison.Ordinal);
        Assert.Null(await desk.Swap(Shop.Order()).InTime());
    }

    [Fact]
    public async Task A_result_that_cannot_be_written_is_at_the_caller_what_it_was_and_the_next_call_works()
    {
        string text = Assert.Throws<UnsupportedTypeException>(() => new Wire.Serializer(Shop.Options).Serialize(new Unwritable())).Message;
        for (int key = 400; key < 410; key++)
        {
            IDesk desk = _cluster.Client.GetGrain<IDesk>(key);
            var failed = await Assert.ThrowsAsync<SerializerException>(() => desk.GiveUnwritable().InTime());
            // Which could not be copied, or be written.
            Assert.EndsWith($" a value of type {typeof(Unwritable)}: {text}", failed.Message, StringComparison.Ordinal);
            Assert.Equal(text, Assert.IsType<NotSupportedException>(failed.InnerException).Message);
            Assert.Null(await desk.Swap(Shop.Order()).InTime());
        }
    }

    [Fact]
    public async Task Items_before_one_that_cannot_be_written_arrive_where_each_is_a_batch()
    {
        var came = new List<ShopMessage>();
        var failed = await Assert.ThrowsAsync<SerializerException>(async () =>
        {
            await foreach (ShopMessage item in _cluster.Client.GetGrain<IDesk>(500).GiveItems().WithBatchSize(1))
            {
                came.Add(item);
            }
        });

        Assert.Contains(" cannot be serialized: ", failed.Message, StringComparison.Ordinal);
        Assert.Equal(["0", "1", "2"], came.Select(item => ((OrderCancelled)item).Reason));
    }

    [Fact]
    public async Task A_reference_to_a_grain_in_a_message_leads_to_the_grain()
    {
        IDesk one = _cluster.Client.GetGrain<IDesk>(300);
        IDesk other = _cluster.Client.GetGrain<IDesk>(301);
        await one.Swap(new Parcel { Content = other }).InTime();
        await one.CallContent(new OrderCancelled { Reason = "by reference" }).InTime();
        Assert.Equal("by reference", Assert.IsType<OrderCancelled>(await other.Swap(null).InTime()).Reason);
    }

    private sealed class Configurator : ISiloConfigurator, IClientBuilderConfigurator
    {
        public void Configure(ISiloBuilder siloBuilder) => siloBuilder.Services.AddSerializer(Add);

        public void Configure(IConfiguration configuration, IClientBuilder clientBuilder) => clientBuilder.Services.AddSerializer(Add);

        private static void Add(ISerializerBuilder builder) =>
            builder.AddWireSerializer(Shop.Options with { Surrogates = [DocumentedTests.Grains] }, typeof(ShopMessage));
    }
}

/// <summary>A grain that keeps a message.</summary>
public interface IDesk : IGrainWithIntegerKey
{
    Task<ShopMessage?> Swap(ShopMessage? message);

    Task<bool> HandOn(IDesk to);

    Task CallContent(ShopMessage message);

    Task<ShopMessage> GiveUnwritable();

    IAsyncEnumerable<ShopMessage> GiveItems();
}

public sealed class Desk : Grain, IDesk
{
    private ShopMessage? _kept;

    public Task<ShopMessage?> Swap(ShopMessage? message)
    {
        ShopMessage? before = _kept;
        _kept = message;
        return Task.FromResult(before);
    }

    public async Task<bool> HandOn(IDesk to)
    {
        await to.Swap(_kept);
        ShopMessage? copy = await to.Swap(_kept);
        return copy is not null && !ReferenceEquals(copy, _kept);
    }

    public Task<ShopMessage> GiveUnwritable() => Task.FromResult<ShopMessage>(new Unwritable());

    public async IAsyncEnumerable<ShopMessage> GiveItems()
    {
        await Task.CompletedTask;
        for (int number = 0; number < 3; number++)
        {
            yield return new OrderCancelled { Reason = $"{number}" };
        }

        yield return new Unwritable();
    }

    public Task CallContent(ShopMessage message) => ((IDesk)((Parcel)_kept!).Content!).Swap(message);
}
