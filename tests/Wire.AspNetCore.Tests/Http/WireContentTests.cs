using System.Net;
using System.Net.Http.Headers;
using System.Text;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Wire.AspNetCore.Tests.Testing;
using Wire.Comparing;

namespace Wire.AspNetCore.Tests.Http;

/// <summary>The side of HttpClient.</summary>
public sealed class WireContentTests
{
    [Fact]
    public async Task A_content_may_be_sent_more_than_once()
    {
        await using WebServer server = await WebServer.StartNewAsync(
            builder => builder.Services.AddWireHttp(Shop.Options),
            application => application.MapPost("/mirror", (WireBody<Basket> body) => TypedResults.Extensions.Wire(body.Value)));
        Basket basket = Shop.NewBasket();
        using var content = WireContent.Create(basket, Shop.Serializer);

        for (int i = 0; i < 2; i++)
        {
            using HttpResponseMessage response = await server.Client.PostAsync("mirror", content);
            GraphAssert.Same(basket, await response.Content.ReadFromWireAsync<Basket>(Shop.Serializer));
        }
    }

    [Fact]
    public void What_cannot_be_written_fails_where_the_content_is_made() =>
        Assert.Throws<UnsupportedTypeException>(() => WireContent.Create(Shop.Unwritable, Shop.Serializer));

    [Fact]
    public async Task An_answer_of_another_media_type_is_a_clear_exception()
    {
        using var page = new StringContent("<h1>Bad gateway</h1>", Encoding.UTF8, "text/html");
        using var nothing = new ByteArrayContent([1, 2]);

        Assert.StartsWith(
            "The content is 'text/html; charset=utf-8', and not application/x-wire: ",
            (await Assert.ThrowsAsync<InvalidDataException>(async () => await page.ReadFromWireAsync<Basket>(Shop.Serializer))).Message,
            StringComparison.Ordinal);
        Assert.StartsWith(
            "The content is of no media type, and not application/x-wire: ",
            (await Assert.ThrowsAsync<InvalidDataException>(async () => await nothing.ReadFromWireAsync<Basket>(Shop.Serializer))).Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_refused_or_damaged_answer_is_an_exception_of_Wire()
    {
        using var intruder = WireContent.Create<ShopEvent>(Shop.Intruder, Shop.Serializer);
        await Assert.ThrowsAsync<TypeRefusedException>(async () => await intruder.ReadFromWireAsync<ShopEvent>(Shop.Serializer));

        byte[] payload = Shop.Serializer.Serialize(Shop.NewBasket());
        for (int length = 0; length < payload.Length; length++)
        {
            using ByteArrayContent cut = Content(payload[..length]);
            await Assert.ThrowsAsync<WireFormatException>(async () => await cut.ReadFromWireAsync<Basket>(Shop.Serializer));
        }
    }

    [Fact]
    public async Task An_answer_beyond_the_limit_is_not_read_to_its_end()
    {
        var serializer = new Serializer(new SerializerOptions { Limits = new() { MaxBytes = 1000 } });
        var body = new Long();
        using var content = new StreamContent(body);
        content.Headers.ContentType = new MediaTypeHeaderValue("application/x-wire");

        InvalidDataException exception =
            await Assert.ThrowsAsync<InvalidDataException>(async () => await content.ReadFromWireAsync<byte[]>(serializer));

        Assert.StartsWith("The content has more than 1000 bytes: ", exception.Message, StringComparison.Ordinal);
        Assert.InRange(body.Count, 1000, 100_000);
    }

    [Fact]
    public async Task An_answer_that_announces_more_than_the_limit_is_not_read()
    {
        var serializer = new Serializer(new SerializerOptions { Limits = new() { MaxBytes = 1000 } });
        var body = new Long();
        using var content = new StreamContent(body);
        content.Headers.ContentType = new MediaTypeHeaderValue("application/x-wire");
        content.Headers.ContentLength = 1001;

        await Assert.ThrowsAsync<InvalidDataException>(async () => await content.ReadFromWireAsync<byte[]>(serializer));

        Assert.Equal(0, body.Count);
    }

    private static ByteArrayContent Content(byte[] body)
    {
        var content = new ByteArrayContent(body);
        content.Headers.ContentType = new MediaTypeHeaderValue("application/x-wire");
        return content;
    }

    /// <summary>A stream whose end is far beyond the limit.</summary>
    private sealed class Long : Stream
    {
        public long Count { get; private set; }

        public override bool CanRead => true;

        public override bool CanSeek => false;

        public override bool CanWrite => false;

        public override long Length => throw new NotSupportedException();

        public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

        // No end is too much for a machine when the limit does not hold.
        public override int Read(byte[] buffer, int offset, int count)
        {
            count = Count < 1 << 20 ? count : 0;
            Count += count;
            return count;
        }

        public override void Flush()
        {
        }

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
    }
}
