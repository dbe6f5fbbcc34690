using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Wire.Transport.Addresses;

/// <summary>The parameters of a URI, as RabbitMQ's specification names them.</summary>
internal sealed class BrokerUriQuery(BrokerUri uri)
{
    private string Known =>
        $"heartbeat, connection_timeout, channel_max, frame_max, auth_mechanism, and with {uri.Secure} cacertfile, certfile, keyfile, " +
        "verify and server_name_indication";

    public BrokerOptions Apply(BrokerOptions options, string query)
    {
        Dictionary<string, string> parameters = Read(query);
        foreach ((string name, string value) in parameters)
        {
            options = name switch
            {
                "heartbeat" =>
                    options with { RequestedHeartbeat = TimeSpan.FromSeconds(Number(name, value, 0, ushort.MaxValue, "seconds")) },
                "connection_timeout" =>
                    options with { ConnectTimeout = TimeSpan.FromMilliseconds(Number(name, value, 1, 86_400_000, "milliseconds")) },
                "channel_max" => options with { RequestedChannelMax = Number(name, value, 1, ushort.MaxValue, "channels") },
                "frame_max" => options with { RequestedFrameMax = Number(name, value, BrokerOptions.LeastFrameMax, 1 << 24, "bytes") },
                "auth_mechanism" => options with { Authentication = Mechanism(value) },
                "cacertfile" or "certfile" or "keyfile" or "verify" or "server_name_indication" when options.Tls is not null => options,
                "cacertfile" or "certfile" or "keyfile" or "verify" or "server_name_indication" =>
                    throw uri.Error($"has the parameter {name} only with TLS: begin it with {uri.Secure}"),
                _ => throw uri.Error($"has no parameter{Shown(name)}; it has {Known}"),
            };
        }

        return options.Tls is null ? options : options with { Tls = Tls(parameters) };
    }

    private Dictionary<string, string> Read(string query)
    {
        var parameters = new Dictionary<string, string>();
        foreach (string each in query.Split('&', StringSplitOptions.RemoveEmptyEntries))
        {
            int equals = each.IndexOf('=');
            string name = uri.Unescape(equals < 0 ? each : each[..equals], "parameter");
            if (!parameters.TryAdd(name, equals < 0 ? "" : uri.Unescape(each[(equals + 1)..], "parameter")))
            {
                throw uri.Error($"must have each parameter at most once;{Shown(name)} is repeated");
            }
        }

        return parameters;
    }

    // What is no name may be a part of a password, in which a question mark was not written as %3f.
    private static string Shown(string name) =>
        name.All(static letter => char.IsAsciiLetterOrDigit(letter) || letter is '_' or '-' or '.') ? $" '{name}'" : " of that name";

    private int Number(string name, string value, int least, int most, string unit) =>
        int.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out int number) && number >= least && number <= most
            ? number
            : throw uri.Error(string.Create(CultureInfo.InvariantCulture, $"takes {least} to {most} {unit} as {name}, and not '{value}'"));

    private SaslMechanism Mechanism(string value) =>
        value.Equals("plain", StringComparison.OrdinalIgnoreCase) ? SaslMechanism.Plain
        : value.Equals("external", StringComparison.OrdinalIgnoreCase) ? SaslMechanism.External
        : throw uri.Error($"takes plain or external as auth_mechanism, and not '{value}'");

    [SuppressMessage("Security", "CA5359", Justification = "The URI asks for it: verify_none.")]
    private SslClientAuthenticationOptions Tls(Dictionary<string, string> parameters)
    {
        var tls = new SslClientAuthenticationOptions { TargetHost = parameters.GetValueOrDefault("server_name_indication") };
        switch (parameters.GetValueOrDefault("verify", "verify_peer"))
        {
            case "verify_peer":
                break;
            case "verify_none":
                tls.RemoteCertificateValidationCallback = (_, _, _, _) => true;
                break;
            case var other:
                throw uri.Error($"takes verify_peer or verify_none as verify, and not '{other}'");
        }

        if (parameters.TryGetValue("cacertfile", out string? authorities))
        {
            // Such authorities publish no revocation lists.
            tls.CertificateChainPolicy =
                new X509ChainPolicy { TrustMode = X509ChainTrustMode.CustomRootTrust, RevocationMode = X509RevocationMode.NoCheck };
            Load("cacertfile", authorities, () => tls.CertificateChainPolicy.CustomTrustStore.ImportFromPemFile(authorities));
            if (tls.CertificateChainPolicy.CustomTrustStore.Count == 0)
            {
                throw uri.Error($"takes a file of PEM certificates as cacertfile, and there are none in '{authorities}'");
            }
        }

        if (parameters.TryGetValue("certfile", out string? certificate))
        {
            string? key = parameters.GetValueOrDefault("keyfile");
            Load(
                "certfile or keyfile",
                key is null ? certificate : $"{certificate}' or '{key}",
                () => tls.ClientCertificates = [WithKey(certificate, key)]);
        }
        else if (parameters.ContainsKey("keyfile"))
        {
            throw uri.Error("has a keyfile only with the certfile that it belongs to");
        }

        return tls;
    }

    // On Windows, TLS cannot use a key that was just read; it has to be in a key store. The way over PKCS 12 puts it there.
    private static X509Certificate2 WithKey(string certificate, string? key)
    {
        using X509Certificate2 read = X509Certificate2.CreateFromPemFile(certificate, key);
        return X509CertificateLoader.LoadPkcs12(read.Export(X509ContentType.Pkcs12), password: null);
    }

    private static void Load(string parameter, string file, Action load)
    {
        try
        {
            load();
        }
        catch (Exception e) when (e is IOException or CryptographicException or UnauthorizedAccessException)
        {
            throw new FormatException(
                $"The {parameter} of the URI cannot be read: '{file}' is not there or not PEM without a password. {e.Message}", e);
        }
    }
}
