#region readme
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Wire;
using Wire.AspNetCore;
#endregion
using Microsoft.Extensions.Logging;

#region readme
var options = new SerializerOptions
{
    TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<Message>(), // what a body may name
};

WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
builder.Services.AddWireHttp(options);
#endregion
builder.Logging.ClearProviders();

#region readme
await using WebApplication app = builder.Build();
app.MapPost("/orders", (WireBody<Message> body) => TypedResults.Extensions.Wire(body.Value));
app.Urls.Add("http://127.0.0.1:0"); // any free port
await app.StartAsync();

var serializer = new Serializer(options); // the client's
using var client = new HttpClient { BaseAddress = new Uri(app.Urls.Single()) };
using HttpResponseMessage response = await client.PostAsync(
    "orders", WireContent.Create<Message>(new OrderPlaced(1, "Ada", 19.90m), serializer));
Console.WriteLine(await response.Content.ReadFromWireAsync<Message>(serializer)); // OrderPlaced { Id = 1, ... }
#endregion

using HttpResponseMessage refused = await client.PostAsync("orders", WireContent.Create<object>(new Stranger(1), serializer));
Console.WriteLine((int)refused.StatusCode);

#region readme
public abstract record Message(int Id);
public sealed record OrderPlaced(int Id, string Customer, decimal Total) : Message(Id);
#endregion
internal sealed record Stranger(int Id);
