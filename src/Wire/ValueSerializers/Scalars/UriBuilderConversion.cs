using System.Runtime.CompilerServices;

namespace Wire.ValueSerializers.Scalars;

/// <summary>A UriBuilder: its parts as they are, not as in a URI built from them.</summary>
internal static class UriBuilderConversion
{
    public static Parts To(UriBuilder value)
    {
        Parts parts = PartsOf(value);
        return PartsOf(From(parts)) == parts
            ? parts
            : throw new UnsupportedTypeException(
                typeof(UriBuilder), "setting its parts again would change them. Write its Uri instead.");
    }

    public static UriBuilder From(Parts written)
    {
        var builder = new UriBuilder
        {
            Scheme = written.Scheme,
            UserName = written.UserName,
            Password = written.Password,
            Host = written.Host,
            Port = written.Port,
            Path = written.Path,
            Query = written.Query,
            Fragment = written.Fragment,
        };
        if (written.Path is "")
        {
            // Setting it would store a slash, which a mail address does not have.
            Path(builder) = "";
        }

        return builder;
    }

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_path")]
    private static extern ref string Path(UriBuilder target);

    private static Parts PartsOf(UriBuilder value) =>
        new(value.Scheme, value.UserName, value.Password, value.Host, value.Port, value.Path, value.Query, value.Fragment);

    internal readonly record struct Parts(
        string Scheme, string UserName, string Password, string Host, int Port, string Path, string Query, string Fragment);
}
