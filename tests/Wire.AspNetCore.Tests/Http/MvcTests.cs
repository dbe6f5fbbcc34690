using System.Net;
using System.Net.Http.Headers;
using System.Net.Http.Json;
using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Mvc;
using Microsoft.AspNetCore.Mvc.Formatters;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Wire.AspNetCore.Tests.Testing;
using Wire.Comparing;

namespace Wire.AspNetCore.Tests.Http;

/// <summary>The formatters of MVC on a Kestrel, with HttpClient over loopback.</summary>
public sealed class MvcTests : IAsyncLifetime
{
    private WebServer _server = null!;

    private HttpClient Client => _server.Client;

    public static TheoryData<bool> Builders => [true, false];

    public async Task InitializeAsync() => _server = await StartAsync(Shop.Options);

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [MemberData(nameof(Builders))]
    public async Task A_graph_goes_there_and_back(bool isCore)
    {
        await using WebServer server = await StartAsync(Shop.Options, isCore: isCore);
        Basket basket = Shop.NewBasket();

        using HttpResponseMessage response = await PostAsync("shop/mirror", basket, server);

        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        Assert.Equal("application/x-wire", response.Content.Headers.ContentType?.ToString());
        Assert.InRange(response.Content.Headers.ContentLength ?? -1, 100, 2000);
        GraphAssert.Same(basket, await response.Content.ReadFromWireAsync<Basket>(Shop.Serializer));
    }

    [Fact]
    public async Task A_parameter_of_a_base_class_or_a_number_is_read()
    {
        Assert.Equal("GiftPlaced", await ReadAsync<string>(await PostAsync<ShopEvent>("shop/name", Shop.Gift)));
        Assert.Equal("OrderPlaced", await ReadAsync<string>(await PostAsync<ShopEvent>("shop/name", Shop.Order)));
        Assert.Equal(43, await ReadAsync<int>(await PostAsync("shop/next", 42)));
    }

    // MVC takes a parameter for a condition that no formatter meets.
    [Theory]
    [InlineData("shop/events", "application/x-wire; charset=utf-8")]
    [InlineData("shop/events", "application/x-wire; charset=utf-8, application/json; q=0.5")]
    [InlineData("shop/withcharset", "application/x-wire")]
    [InlineData("shop/withcharset", "*/*")]
    public async Task A_charset_beside_the_media_type_does_not_matter(string path, string accept)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, path) { Headers = { { "Accept", accept } } };

        using HttpResponseMessage response = await Client.SendAsync(request);

        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        Assert.Equal("application/x-wire", response.Content.Headers.ContentType?.ToString());
    }

    [Fact]
    public async Task Others_get_what_they_got_before()
    {
        using HttpResponseMessage json = await Client.PostAsJsonAsync("shop/next", 42);
        using HttpResponseMessage mixed = await Client.PostAsync("shop/next", WireContent.Create(42, Shop.Serializer));

        Assert.Equal(43, await json.Content.ReadFromJsonAsync<int>());
        Assert.Equal(43, await mixed.Content.ReadFromJsonAsync<int>());
    }

    [Fact]
    public async Task A_refused_type_is_status_400_and_the_action_is_not_called()
    {
        using HttpResponseMessage response = await PostAsync<ShopEvent>("shop/name", Shop.Intruder);
        string error = await AssertErrorAsync(response);

        Assert.StartsWith(
            "The body is no readable application/x-wire: the type 'Wire.AspNetCore.Tests.Testing.Intruder, Wire.AspNetCore.Tests",
            error,
            StringComparison.Ordinal);
        Assert.DoesNotContain("TypeFilter", error, StringComparison.Ordinal);
        Assert.Contains(
            _server.Lines.All,
            line => line.StartsWith("Wire.AspNetCore: The body of a request to /shop/name was refused: ", StringComparison.Ordinal));
        Assert.Equal("GiftPlaced", await ReadAsync<string>(await PostAsync<ShopEvent>("shop/name", Shop.Gift)));
    }

    [Fact]
    public async Task A_body_that_is_cut_is_status_400_wherever_it_is_cut()
    {
        byte[] payload = Shop.Serializer.Serialize(Shop.NewBasket());
        for (int length = 1; length < payload.Length; length += 7)
        {
            using HttpResponseMessage response = await PostAsync("shop/mirror", payload[..length], "application/x-wire");
            Assert.StartsWith("The body is no readable application/x-wire: ", await AssertErrorAsync(response), StringComparison.Ordinal);
        }

        using HttpResponseMessage empty = await PostAsync("shop/mirror", [], "application/x-wire");
        Assert.Equal("A non-empty request body is required.", await AssertErrorAsync(empty)); // MVC's own
    }

    [Fact]
    public async Task A_body_with_a_changed_byte_is_never_an_error_of_the_server()
    {
        byte[] payload = Shop.Serializer.Serialize(Shop.NewBasket());
        int refused = 0;
        for (int at = 0; at < payload.Length; at++)
        {
            byte[] changed = [.. payload];
            changed[at] ^= 0xFF;
            using HttpResponseMessage response = await PostAsync("shop/mirror", changed, "application/x-wire");
            Assert.True(
                response.StatusCode is HttpStatusCode.OK or HttpStatusCode.NoContent or HttpStatusCode.BadRequest,
                $"byte {at}: {response.StatusCode}");
            refused += response.StatusCode == HttpStatusCode.BadRequest ? 1 : 0;
        }

        Assert.InRange(refused, payload.Length / 4, payload.Length);
    }

    [Theory]
    [InlineData("application/octet-stream")]
    [InlineData("application/x-wire2")]
    public async Task Another_media_type_is_status_415(string mediaType)
    {
        using HttpResponseMessage response = await PostAsync("shop/mirror", Shop.Serializer.Serialize(Shop.NewBasket()), mediaType);

        Assert.Equal(HttpStatusCode.UnsupportedMediaType, response.StatusCode);
    }

    [Theory]
    [InlineData(true, true)]
    [InlineData(true, false)]
    [InlineData(false, true)]
    [InlineData(false, false)]
    public async Task Beyond_the_limit_of_Kestrel_or_of_Wire_is_status_413(bool isKestrels, bool announced)
    {
        await using WebServer server = isKestrels
            ? await StartAsync(Shop.Options, kestrelLimit: 10_000, hasHandler: true)
            : await StartAsync(Shop.Options with { Limits = new() { MaxBytes = 10_000 } }, hasHandler: true);

        using HttpResponseMessage response = await SendAsync(server, 20_000, announced);
        using HttpResponseMessage next = await SendAsync(server, 5_000, announced);

        Assert.Equal(HttpStatusCode.RequestEntityTooLarge, response.StatusCode);
        Assert.Equal("application/problem+json", response.Content.Headers.ContentType?.MediaType);
        Assert.Equal(HttpStatusCode.OK, next.StatusCode);
        Assert.Empty(server.Lines.Errors);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(100_000)]
    public async Task A_result_that_cannot_be_written_is_status_500(int before)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, $"shop/unwritable/{before}");
        request.Headers.Accept.Add(new("application/x-wire"));
        using HttpResponseMessage response = await Client.SendAsync(request);

        Assert.Equal(HttpStatusCode.InternalServerError, response.StatusCode);
        Assert.Equal(43, await ReadAsync<int>(await PostAsync("shop/next", 42)));
    }

    [Theory]
    [InlineData("shop/account")]
    [InlineData("shop/declaredaccount")]
    [InlineData("shop/resultaccount")]
    [InlineData("shop/accounts")]
    [InlineData("shop/derived")]
    [InlineData("shop/declaredderived")]
    public async Task What_is_not_covered_leaves_as_it_did_before(string path)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, path) { Headers = { Accept = { new("application/x-wire") } } };
        using HttpResponseMessage response = await Client.SendAsync(request);
        string text = await response.Content.ReadAsStringAsync();

        Assert.Equal("application/json", response.Content.Headers.ContentType?.MediaType);
        Assert.Contains("Ada", text, StringComparison.Ordinal);
        Assert.DoesNotContain("secret", text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("shop/account")]
    [InlineData("shop/derived")]
    public async Task Where_MVC_is_strict_it_is_status_406(string path)
    {
        await using WebServer server = await StartAsync(Shop.Options, isStrict: true);
        using var request = new HttpRequestMessage(HttpMethod.Get, path) { Headers = { Accept = { new("application/x-wire") } } };
        using HttpResponseMessage response = await server.Client.SendAsync(request);

        Assert.Equal(HttpStatusCode.NotAcceptable, response.StatusCode);
        Assert.Equal(43, await ReadAsync<int>(await PostAsync("shop/next", 42, server)));
    }

    [Fact]
    public async Task A_body_sets_nothing_of_what_is_not_covered()
    {
        using HttpResponseMessage response = await PostAsync("shop/open", new Account("Ada", isAdmin: true));
        using HttpResponseMessage json = await Client.PostAsync(
            "shop/open", new StringContent("{\"name\":\"Ada\",\"isAdmin\":true}", Encoding.UTF8, "application/json"));

        Assert.Equal(HttpStatusCode.UnsupportedMediaType, response.StatusCode);
        Assert.Equal("Ada False", await json.Content.ReadAsStringAsync());
    }

    [Fact]
    public async Task Lists_and_null_are_what_the_condition_says_of_their_types()
    {
        await using WebServer server = await StartAsync(Shop.Options, isStrict: true, writesNull: true);

        Assert.Equal([Shop.Order, Shop.Gift], await ReadAsync<List<ShopEvent>>(await GetAsync("shop/events")));
        Assert.Null(await ReadAsync<ShopEvent>(await GetAsync("shop/noevent")));
        Assert.Equal(HttpStatusCode.NotAcceptable, (await GetAsync("shop/noaccount")).StatusCode);
        Assert.Equal(HttpStatusCode.NotAcceptable, (await GetAsync("shop/nothing")).StatusCode);

        async Task<HttpResponseMessage> GetAsync(string path)
        {
            using var request = new HttpRequestMessage(HttpMethod.Get, path) { Headers = { Accept = { new("application/x-wire") } } };
            return await server.Client.SendAsync(request);
        }
    }

    // MVC finds what is an error before there is a value to write, and says so in its own words.
    [Fact]
    public async Task Problems_of_MVC_stay_JSON()
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, "shop/missing") { Headers = { Accept = { new("application/x-wire") } } };
        using HttpResponseMessage response = await Client.SendAsync(request);

        Assert.Equal(HttpStatusCode.NotFound, response.StatusCode);
        Assert.Equal("application/problem+json", response.Content.Headers.ContentType?.MediaType);
    }

    private static async Task<WebServer> StartAsync(
        SerializerOptions options,
        long? kestrelLimit = null,
        bool isCore = false,
        bool isStrict = false,
        bool writesNull = false,
        bool hasHandler = false) =>
        await WebServer.StartNewAsync(
            builder =>
            {
                if (isCore)
                {
                    builder.Services.AddMvcCore().AddApplicationPart(typeof(MvcTests).Assembly)
                        .AddWireFormatters(options, ShopController.Covers);
                }
                else
                {
                    builder.Services.AddControllers().AddApplicationPart(typeof(MvcTests).Assembly)
                        .AddWireFormatters(options, ShopController.Covers);
                }

                builder.Services.Configure<MvcOptions>(mvc =>
                {
                    mvc.ReturnHttpNotAcceptable = isStrict;
                    if (writesNull)
                    {
                        mvc.OutputFormatters.RemoveType<HttpNoContentOutputFormatter>();
                    }
                });
                builder.Services.Configure<KestrelServerOptions>(kestrel =>
                    kestrel.Limits.MaxRequestBodySize = kestrelLimit ?? kestrel.Limits.MaxRequestBodySize);
            },
            application =>
            {
                if (hasHandler)
                {
                    application.UseExceptionHandler(new ExceptionHandlerOptions { ExceptionHandler = _ => Task.CompletedTask });
                }

                application.MapControllers();
            });

    private async Task<HttpResponseMessage> PostAsync<T>(string path, T value, WebServer? server = null)
    {
        using var request = new HttpRequestMessage(HttpMethod.Post, path) { Content = WireContent.Create(value, Shop.Serializer) };
        request.Headers.Accept.Add(new("application/x-wire"));
        return await (server?.Client ?? Client).SendAsync(request);
    }

    private async Task<HttpResponseMessage> PostAsync(string path, byte[] body, string mediaType)
    {
        using var content = new ByteArrayContent(body);
        content.Headers.ContentType = MediaTypeHeaderValue.Parse(mediaType);
        using var request = new HttpRequestMessage(HttpMethod.Post, path) { Content = content };
        request.Headers.Accept.Add(new("application/x-wire"));
        return await Client.SendAsync(request);
    }

    private static async Task<HttpResponseMessage> SendAsync(WebServer server, int size, bool announced)
    {
        using var request = new HttpRequestMessage(HttpMethod.Post, "shop/any")
        {
            Content = WireContent.Create<object>(new byte[size], Shop.Serializer),
        };
        request.Headers.TransferEncodingChunked = !announced;
        request.Headers.Accept.Add(new("application/x-wire"));
        return await server.Client.SendAsync(request);
    }

    private static async Task<T?> ReadAsync<T>(HttpResponseMessage response)
    {
        using (response)
        {
            Assert.Equal(HttpStatusCode.OK, response.StatusCode);
            return await response.Content.ReadFromWireAsync<T>(Shop.Serializer);
        }
    }

    private static async Task<string> AssertErrorAsync(HttpResponseMessage response)
    {
        string text = await response.Content.ReadAsStringAsync();
        Assert.True(response.StatusCode == HttpStatusCode.BadRequest, $"{response.StatusCode}: {text}");
        Assert.Equal("application/problem+json", response.Content.Headers.ContentType?.MediaType);
        return JsonSerializer.Deserialize<ValidationProblemDetails>(text, JsonSerializerOptions.Web)!
            .Errors.Values.Select(Assert.Single).First();
    }
}
