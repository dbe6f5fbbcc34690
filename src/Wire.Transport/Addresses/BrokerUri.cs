using System.Globalization;
using System.Net;
using System.Net.Security;
using System.Text;
using System.Text.Unicode;

namespace Wire.Transport.Addresses;

/// <summary>
/// Reads URIs of brokers as RabbitMQ's specification of amqp:// says. By hand, because .NET's parser does not accept every host and virtual
/// host of that specification, and resolves "." and ".." in a path.
/// </summary>
/// <param name="protocol">The name of the protocol, for errors.</param>
/// <param name="plain">The scheme without TLS, with its slashes.</param>
/// <param name="secure">The scheme with TLS, with its slashes.</param>
/// <param name="port">The usual port.</param>
/// <param name="tlsPort">The usual port with TLS.</param>
internal sealed class BrokerUri(string protocol, string plain, string secure, int port, int tlsPort)
{
    /// <summary>The scheme with TLS.</summary>
    public string Secure => secure;

    /// <summary>Reads a URI. Absent parts have their defaults.</summary>
    /// <exception cref="FormatException">The URI is not valid, or has an unknown part: the message says what is allowed.</exception>
    public BrokerOptions Parse(string uri)
    {
        bool tls = uri.StartsWith(secure, StringComparison.OrdinalIgnoreCase);
        if (!tls && !uri.StartsWith(plain, StringComparison.OrdinalIgnoreCase))
        {
            throw Error($"begins with {plain} or {secure}");
        }

        string rest = uri[(tls ? secure : plain).Length..];
        if (rest.Contains('#'))
        {
            throw Error("has no fragment: write %23 for the character #");
        }

        (rest, string? query) = Cut(rest, rest.IndexOf('?'));
        (string authority, string? path) = Cut(rest, rest.IndexOf('/'));
        int at = authority.LastIndexOf('@');
        if (at < 0 && authority.Contains(':') && path?.Contains('@') == true)
        {
            // Otherwise its beginning would be shown as a host and a port.
            throw Error("has %2f in place of / within a name or password, and %40 in place of @ within a virtual host");
        }

        (string? user, string host) = at < 0 ? (null, authority) : (authority[..at], authority[(at + 1)..]);

        var options = new BrokerOptions
        {
            Endpoints = [Endpoint(host, tls ? tlsPort : port)],
            UsualTlsPort = tlsPort,
            Tls = tls ? new SslClientAuthenticationOptions() : null,
        };

        // Absent parts have their defaults, and empty parts are empty. But a slash alone is what System.Uri makes of no path, and
        // RabbitMQ.Client takes it for none as well.
        if (!string.IsNullOrEmpty(path))
        {
            options = path.Contains('/')
                ? throw Error("names one virtual host behind the host: write %2f for a slash in its name")
                : options with { VirtualHost = Unescape(path, "virtual host") };
        }

        if (user is not null)
        {
            (string name, string? password) = Cut(user, user.IndexOf(':'));
            if (name.Length > 0 || password is not null)
            {
                options = options with { UserName = Unescape(name, "user's name") };
            }

            options = password is null ? options : options with { Password = Unescape(password, "password") };
        }

        return string.IsNullOrEmpty(query) ? options : new BrokerUriQuery(this).Apply(options, query);
    }

    /// <summary>Decodes percent signs: each is followed by two hexadecimal digits, and the result is UTF-8.</summary>
    public string Unescape(string text, string what)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(text);
        int length = 0;
        for (int i = 0; i < bytes.Length; i++, length++)
        {
            if (bytes[i] != '%')
            {
                bytes[length] = bytes[i];
            }
            else if (i + 2 < bytes.Length
                && byte.TryParse(bytes.AsSpan(i + 1, 2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out bytes[length]))
            {
                i += 2;
            }
            else
            {
                throw Error(
                    $"has two hexadecimal digits behind each percent sign, and the {what} does not: write %25 for the percent sign itself");
            }
        }

        return Utf8.IsValid(bytes.AsSpan(0, length))
            ? Encoding.UTF8.GetString(bytes, 0, length)
            : throw Error($"is UTF-8 where it has percent signs, and the {what} is not");
    }

    /// <summary>An error that says what a URI must be. It does not show the URI, which may contain a password.</summary>
    public FormatException Error(string rule) => new($"A URI of {protocol} {rule}.");

    private BrokerEndpoint Endpoint(string text, int defaultPort)
    {
        if (text.Contains(','))
        {
            throw Error("names one host: set the Endpoints of the options to connect to one of several");
        }

        // The colons within brackets belong to an address of IPv6.
        int bracket = text.LastIndexOf(']');
        int colon = text.LastIndexOf(':');
        (string host, string? number) = Cut(text, colon > bracket ? colon : -1);
        if (host.StartsWith('[') || host.EndsWith(']'))
        {
            host = host is ['[', .., ']'] && IPAddress.TryParse(host, out _)
                ? host[1..^1]
                : throw Error("may have only an IPv6 address in brackets");
        }
        else if (host.Contains(':'))
        {
            throw Error($"has an address of IPv6 in brackets, as in {plain}[::1]:{port}");
        }

        host = Unescape(host, "host");
        return new BrokerEndpoint(host.Length == 0 ? "localhost" : host, number is null ? defaultPort : Port(number));
    }

    private int Port(string text) =>
        ushort.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out ushort number) && number != 0
            ? number
            // It may be a password that stands there.
            : throw Error(
                "has a port of 1 to 65,535 behind the host, which it has not: a colon within a name or password is written %3a, and an " +
                "@ %40");

    // The parts before and behind a character; null where it is absent.
    private static (string Before, string? Behind) Cut(string text, int at) => at < 0 ? (text, null) : (text[..at], text[(at + 1)..]);
}
