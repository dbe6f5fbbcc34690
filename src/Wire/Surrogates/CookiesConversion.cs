using System.Net;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace Wire.Surrogates;

/// <summary>A container of cookies.</summary>
internal record struct CookieContainerParts(int Capacity, int PerDomainCapacity, int MaxCookieSize, ReceivedCookie[] Cookies);

/// <summary>A cookie as a server sends it, and an address that it could come from.</summary>
/// <param name="From">The address, which says what the cookie does not.</param>
/// <param name="Cookie">The cookie, without the domain, path and port that follow from the address.</param>
internal record struct ReceivedCookie(Uri From, Cookie Cookie);

/// <summary>
/// Containers of cookies, which are given to another one as they were received. Whether the domain of a cookie was given or followed from
/// the address decides to whom it is sent.
/// </summary>
internal static class CookiesConversion
{
    // A cookie with its domain, its path, and the lists of these.
    private const int CostOfCookie = 512;

    // A character of an address may become nine in a path.
    private const int CostOfCharacter = 9 * sizeof(char);

    // Two cookies are compared in less time than this part of a collision takes.
    private const int ComparisonsPerCollision = 8;
    private const int CharactersPerComparison = 64;

    // After which of the rules it was received, in an enum that is not public.
    private static readonly FieldInfo Variant = typeof(Cookie).GetField("m_cookieVariant", BindingFlags.Instance | BindingFlags.NonPublic)!;

    /// <summary>Estimates what it costs to make a collection.</summary>
    public static ConversionCost CostOf(Cookie[] cookies)
    {
        long weight = 0;
        foreach (Cookie cookie in cookies)
        {
            weight += WeightOf(cookie);
        }

        return new((long)sizeof(long) * 2 * cookies.Length, Collisions(cookies.Length, weight));
    }

    /// <summary>Estimates what it costs to make a container, which has copies of the cookies.</summary>
    public static ConversionCost CostOf(CookieContainerParts container)
    {
        long bytes = 0;
        long weight = 0;
        ReceivedCookie[] cookies = container.Cookies ?? [];
        foreach ((Uri? from, Cookie? cookie) in cookies)
        {
            bytes += CostOfCookie + ((from?.OriginalString.Length ?? 0) * (long)CostOfCharacter);
            weight += WeightOf(cookie);
        }

        return new(bytes, Collisions(cookies.Length, weight));
    }

    public static CookieCollection ToCollection(Cookie[] cookies) => Made.Create(() =>
    {
        var collection = new CookieCollection();
        Array.ForEach(cookies, collection.Add);
        return collection;
    });

    public static CookieContainerParts ToParts(CookieContainer container)
    {
        Cookie[] cookies = Held(Exact.Require(container));
        var parts = new CookieContainerParts(
            container.Capacity, container.PerDomainCapacity, container.MaxCookieSize, [.. cookies.Select(Received)]);
        return IsWhole(parts, cookies)
            ? parts
            : throw new UnsupportedTypeException(
                typeof(CookieContainer),
                "it has cookies that another container would not take as they are, such as more of them than its capacity. Write " +
                "GetAllCookies().");
    }

    public static CookieContainer ToContainer(CookieContainerParts parts) => Made.Create(() => Container(parts));

    private static CookieContainer Container(CookieContainerParts parts)
    {
        var container = new CookieContainer(parts.Capacity) { MaxCookieSize = parts.MaxCookieSize };

        // The default may be more than the capacity, and nothing else.
        if (parts.PerDomainCapacity != container.PerDomainCapacity)
        {
            container.PerDomainCapacity = parts.PerDomainCapacity;
        }

        foreach ((Uri from, Cookie cookie) in parts.Cookies)
        {
            int before = container.Count;
            container.Add(from, cookie);
            if (container.Count == before && !cookie.Expired)
            {
                // A full one goes through all of its cookies to find one that it can do without.
                throw new CookieException("A cookie is there twice, or has no room.");
            }
        }

        return container;
    }

    // Each is compared with all before it, by name, domain and path.
    private static long Collisions(long count, long weight) =>
        count < 2 ? 0 : (long)Math.Min(long.MaxValue / 2, (double)weight * (count - 1) / 2 / ComparisonsPerCollision);

    private static long WeightOf(Cookie? cookie) => cookie is null
        ? 0
        : 1 + ((cookie.Name.Length + (long)cookie.Domain.Length + cookie.Path.Length) / CharactersPerComparison);

    private static bool IsWhole(CookieContainerParts parts, Cookie[] cookies)
    {
        try
        {
            return cookies.Select(Faces).ToHashSet().SetEquals(Held(Container(parts)).Select(Faces));
        }
        catch (Exception e) when (e is CookieException or ArgumentException or UriFormatException)
        {
            return false;
        }
    }

    // No container keeps one that has expired.
    private static Cookie[] Held(CookieContainer container) => [.. container.GetAllCookies().Where(cookie => !cookie.Expired)];

    private static ReceivedCookie Received(Cookie cookie)
    {
        var received = new Cookie(cookie.Name, cookie.Value)
        {
            Comment = cookie.Comment,
            CommentUri = cookie.CommentUri,
            Discard = cookie.Discard,
            Expires = cookie.Expires,
            HttpOnly = cookie.HttpOnly,
            Secure = cookie.Secure,
            Version = cookie.Version,
        };
        string host = cookie.Domain;
        if (!IsDomainImplied(cookie))
        {
            received.Domain = cookie.Domain;
            host = host.StartsWith('.') ? "host" + host : host;
        }

        string path = cookie.Path;
        if (!IsPathImplied(cookie))
        {
            received.Path = cookie.Path;
        }
        else if (!path.EndsWith('/'))
        {
            // The path of a cookie is that of the address up to the last slash.
            path += "/";
        }

        if (!IsPortImplied(cookie))
        {
            received.Port = cookie.Port;
        }

        string port = Ports(cookie) is [int first, ..] ? $":{first}" : "";
        return new(new($"{(cookie.Secure ? Uri.UriSchemeHttps : Uri.UriSchemeHttp)}://{host}{port}{path}"), received);
    }

    private static object Faces(Cookie cookie) => (
        (cookie.Name, cookie.Value, cookie.Domain, cookie.Path, cookie.Port, cookie.Version, Variant.GetValue(cookie)),
        (cookie.Comment, cookie.CommentUri, cookie.Expires, cookie.Discard, cookie.HttpOnly, cookie.Secure),
        (IsDomainImplied(cookie), IsPathImplied(cookie), IsPortImplied(cookie)));

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "m_domain_implicit")]
    private static extern ref bool IsDomainImplied(Cookie cookie);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "m_path_implicit")]
    private static extern ref bool IsPathImplied(Cookie cookie);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "m_port_implicit")]
    private static extern ref bool IsPortImplied(Cookie cookie);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "m_port_list")]
    private static extern ref int[]? Ports(Cookie cookie);
}
