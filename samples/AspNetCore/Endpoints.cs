using System.Net.Http.Headers;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Mvc;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Wire;
using Wire.AspNetCore;

namespace Shop;

/// <summary>Requests that are refused, endpoints with filters of their own, and MVC.</summary>
internal static class Endpoints
{
    public static async Task RunAsync()
    {
        var options = new SerializerOptions { TypeFilter = WireTypeFilter.Default.Allow<OrderPlaced>() };
        var serializer = new Serializer(options);
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();

        #region mvc
        builder.Services.AddControllers().AddWireFormatters(options, covers: type => type.IsAssignableTo(typeof(Message)));
        #endregion
        builder.Services.AddMvc().AddApplicationPart(typeof(Endpoints).Assembly);
        await using WebApplication app = builder.Build();
        app.MapControllers();

        #region minimal
        app.MapPost("/orders", (WireBody<Message> body) => TypedResults.Extensions.Wire(body.Value));
        #endregion

        #region endpoint
        app.MapPost("/shipments", (WireBody<Message> body) => Ship(body.Value))
            .WithWire(new SerializerOptions { TypeFilter = WireTypeFilter.Default.Allow<OrderShipped>() });
        #endregion

        #region handler
        app.MapPost("/latest", async (HttpContext context) =>
        {
            OrderPlaced? order = await context.Request.ReadFromWireAsync<OrderPlaced>();
            await context.Response.WriteAsWireAsync<Message>(new OrderShipped(order!.Id, 2));
        });
        #endregion
        app.Urls.Add("http://127.0.0.1:0");
        await app.StartAsync();
        using var client = new HttpClient { BaseAddress = new Uri(app.Urls.Single()) };

        #region refused
        using HttpResponseMessage refused = await client.PostAsync(
            "shipments", WireContent.Create<Message>(new OrderPlaced(1, "Ada", 19.90m), serializer));
        Console.WriteLine($"{(int)refused.StatusCode}: {await refused.Content.ReadAsStringAsync()}");
        #endregion

        #region client
        using var request = new HttpRequestMessage(HttpMethod.Post, "controller/orders")
        {
            Content = WireContent.Create(new OrderPlaced(2, "Grace", 5m), serializer),
        };
        request.Headers.Accept.Add(new MediaTypeWithQualityHeaderValue(WireMediaType.Name));
        using HttpResponseMessage response = await client.SendAsync(request);
        response.EnsureSuccessStatusCode();
        Console.WriteLine(await response.Content.ReadFromWireAsync<OrderPlaced>(serializer));
        #endregion

        using HttpResponseMessage latest = await client.PostAsync("latest", WireContent.Create(new OrderPlaced(3, "Ada", 1m), serializer));
        Console.WriteLine(await latest.Content.ReadFromWireAsync<OrderShipped>(serializer));
    }

    private static int Ship(Message? message) => message!.Id;
}

#region controller
[ApiController]
[Route("controller/orders")]
public sealed class OrdersController : ControllerBase
{
    [HttpPost]
    public Message Place(Message message) => message; // as application/x-wire or JSON, as the client accepts
}
#endregion
