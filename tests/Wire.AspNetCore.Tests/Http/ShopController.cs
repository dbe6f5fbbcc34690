using System.Text.Json.Serialization;
using Microsoft.AspNetCore.Mvc;
using Wire.AspNetCore.Tests.Testing;

namespace Wire.AspNetCore.Tests.Http;

/// <summary>The actions of the tests.</summary>
[ApiController]
[Route("shop/[action]")]
public sealed class ShopController : ControllerBase
{
    /// <summary>Gets what the formatters of the tests cover: neither accounts nor memberships.</summary>
    public static bool Covers(Type type) => type != typeof(Membership) && (type.IsPrimitive || type.IsAssignableTo(typeof(ShopEvent))
        || type.IsAssignableTo(typeof(IEnumerable<ShopEvent>)) || type == typeof(object) || type == typeof(List<object>)
        || type.IsAssignableTo(typeof(IAsyncEnumerable<ShopEvent>))
        || type == typeof(Basket) || type == typeof(byte[]) || type == typeof(string));

    [HttpGet]
    public object Account() => new Account("Ada", isAdmin: true);

    [HttpGet]
    public Account DeclaredAccount() => new("Ada", isAdmin: true);

    [HttpGet]
    public IActionResult ResultAccount() => Ok(new Account("Ada", isAdmin: true));

    [HttpGet]
    public List<Account> Accounts() => [new Account("Ada", isAdmin: true)];

    [HttpGet]
    public byte[] Large() => new byte[50_000_000];

    [HttpGet]
    public object Derived() => new Membership(Guid.Empty, "Ada", 1m, "secret");

    [HttpGet]
    public ActionResult<OrderPlaced> DeclaredDerived() => new Membership(Guid.Empty, "Ada", 1m, "secret");

    [HttpGet]
    public List<ShopEvent> Events() => [Shop.Order, Shop.Gift];

    [HttpGet]
    public ShopEvent? NoEvent() => null;

    [HttpGet]
    public Account? NoAccount() => null;

    [HttpGet]
    public IActionResult Nothing() => Ok(null);

    [HttpPost]
    public string Open([FromBody] Account account) => $"{account.Name} {account.IsAdmin}";

    [HttpPost]
    public Basket Mirror(Basket basket) => basket;

    [HttpPost]
    public object Any([FromBody] object value) => value;

    [HttpPost]
    public string Name([FromBody] ShopEvent happened) => happened.GetType().Name;

    [HttpPost]
    public int Next([FromBody] int number) => number + 1;

    [HttpGet]
    public IActionResult Missing() => NotFound();

    [HttpGet]
    public async IAsyncEnumerable<ShopEvent> Streamed()
    {
        await Task.Yield();
        yield return Shop.Order;
    }

    [HttpGet]
    [Produces("application/x-wire; charset=utf-8")]
    public ShopEvent WithCharset() => Shop.Order;

    [HttpGet("{status}")]
    public IActionResult Status(int status) => StatusCode(status, Shop.Order);

    [HttpGet("{before}")]
    public object Unwritable(int before) => new List<object> { new byte[before], Shop.Unwritable };

    [HttpGet("{before}")]
    public IActionResult UnwritableResult(int before) => Ok(new List<object> { new byte[before], Shop.Unwritable });
}

/// <summary>An entity: what of it leaves and comes in is said for JSON.</summary>
public sealed class Account
{
    private readonly string _hash = "secret";

    public Account()
    {
    }

    public Account(string name, bool isAdmin)
    {
        Name = name;
        IsAdmin = isAdmin;
    }

    public string Name { get; set; } = "";

    public bool IsAdmin { get; private set; }

    [JsonIgnore]
    public string Password { get; set; } = "a secret";

    public int Strength => _hash.Length;
}

/// <summary>A class that derives from a covered one, and is not covered itself.</summary>
public record Membership(Guid Id, string Customer, decimal Total, [property: JsonIgnore] string Key) : OrderPlaced(Id, Customer, Total);
