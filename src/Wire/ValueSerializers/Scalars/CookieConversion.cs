using System.Net;

namespace Wire.ValueSerializers.Scalars;

/// <summary>A Cookie: its settable properties. Its creation time is the time of reading.</summary>
internal static class CookieConversion
{
    public static Parts To(Cookie value) => new(
        value.Name, value.Value, value.Path, value.Domain, value.Port, value.Comment, value.CommentUri, value.Expires, value.Version,
        (value.Discard ? Flags.Discard : 0) | (value.HttpOnly ? Flags.HttpOnly : 0) | (value.Secure ? Flags.Secure : 0));

    public static Cookie From(Parts written)
    {
        if ((written.Flags & ~(Flags.Discard | Flags.HttpOnly | Flags.Secure)) != 0)
        {
            throw new FormatException($"{written.Flags} are not flags of a cookie.");
        }

        var cookie = new Cookie
        {
            Value = written.Value,
            Comment = written.Comment,
            CommentUri = written.CommentUri,
            Expires = written.Expires,
            Version = written.Version,
            Discard = written.Flags.HasFlag(Flags.Discard),
            HttpOnly = written.Flags.HasFlag(Flags.HttpOnly),
            Secure = written.Flags.HasFlag(Flags.Secure),
        };

        // Setting one of these marks it as given; an empty name is not a name.
        Set(written.Name, name => cookie.Name = name);
        Set(written.Path, path => cookie.Path = path);
        Set(written.Domain, domain => cookie.Domain = domain);
        Set(written.Port, port => cookie.Port = port);
        return cookie;
    }

    private static void Set(string? text, Action<string> setter)
    {
        if (!string.IsNullOrEmpty(text))
        {
            setter(text);
        }
    }

    [Flags]
    internal enum Flags : byte
    {
        Discard = 1,
        HttpOnly = 2,
        Secure = 4,
    }

    internal readonly record struct Parts(
        string Name, string Value, string Path, string Domain, string Port, string Comment, Uri? CommentUri, DateTime Expires, int Version,
        Flags Flags);
}
