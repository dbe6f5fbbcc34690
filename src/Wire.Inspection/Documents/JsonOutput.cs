using System.Runtime.InteropServices;
using System.Text.Encodings.Web;
using System.Text.Json;
using Wire.Errors;
using Wire.Format;

namespace Wire.Documents;

/// <summary>Writes nodes as JSON, by the rules of docs/documents.md. Open values are kept in a list, and take no stack.</summary>
internal sealed class JsonOutput(Utf8JsonWriter writer, PayloadJsonOptions options)
{
    private const long LeastMaxLength = 1 << 24;
    private const long LengthPerByte = 64;

    private readonly List<Nest> _nests = [];

    // How the parts of a value are written.
    private enum Form
    {
        // Properties, by the names of members.
        Members,

        // Properties, by keys that are strings.
        Named,

        // Objects of key and value, in an array.
        Pairs,

        // An array.
        Elements,
    }

    /// <summary>Gets the options of readable text.</summary>
    public static JsonWriterOptions Indented { get; } = new()
    {
        Indented = true,
        NewLine = "\n",
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };

    /// <summary>Writes a node, and all that is inside it.</summary>
    public void Write(in PayloadNode root)
    {
        long begin = writer.BytesCommitted + writer.BytesPending;
        long most = options.MaxLength ?? Math.Max(LeastMaxLength, LengthPerByte * root.Document.Payload.Length);
        Value(root);
        while (_nests.Count > 0)
        {
            if (writer.BytesCommitted + writer.BytesPending - begin > most)
            {
                ThrowHelper.Format(
                    WireFormatError.Limit, $"The JSON exceeds PayloadJsonOptions.MaxLength = {most} bytes. Raise it, or write a part.");
            }

            GoOn(ref CollectionsMarshal.AsSpan(_nests)[^1]);
        }
    }

    // Beginning another one may reallocate the list and invalidate the reference: it comes last.
    private void GoOn(ref Nest nest)
    {
        if (nest.EndsPair)
        {
            writer.WriteEndObject();
            nest.EndsPair = false;
        }

        if (!nest.Parts.MoveNext())
        {
            EndNest(nest);
            return;
        }

        PayloadNode part = nest.Parts.Current;
        bool isKey = (nest.Parts.Index & 1) == 0;
        switch (nest.Form)
        {
            case Form.Members:
                writer.WritePropertyName(Escape(nest.Parts.Name));
                break;
            case Form.Named when isKey:
                writer.WritePropertyName(Escape(part.GetValue<string>()!));
                return;
            case Form.Pairs when isKey:
                writer.WriteStartObject();
                writer.WritePropertyName("key");
                break;
            case Form.Pairs:
                writer.WritePropertyName("value");
                nest.EndsPair = true;
                break;
        }

        Value(part);
    }

    private void EndNest(in Nest nest)
    {
        if (nest.Form is Form.Elements or Form.Pairs)
        {
            writer.WriteEndArray();
        }

        if (nest.Form != Form.Elements || nest.IsWrapped)
        {
            writer.WriteEndObject();
        }

        _nests.RemoveAt(_nests.Count - 1);
    }

    private void Value(in PayloadNode node)
    {
        switch (node.Kind)
        {
            case PayloadKind.Null:
                writer.WriteNullValue();
                break;
            case PayloadKind.Reference:
                writer.WriteStartObject();
                writer.WriteNumber("$ref", node.ObjectNumber);
                writer.WriteEndObject();
                break;
            case PayloadKind.Scalar:
                Scalar(node);
                break;
            case PayloadKind.Opaque:
                writer.WriteStartObject();
                About(node);
                writer.WriteBase64String("$bytes", node.GetBytes().Span);
                writer.WriteEndObject();
                break;
            case var _ when _nests.Count >= options.MaxDepth:
                writer.WriteStartObject();
                writer.WriteNumber("$deeper", node.Length);
                writer.WriteEndObject();
                break;
            default:
                Open(node);
                break;
        }
    }

    private void Scalar(in PayloadNode node)
    {
        if (IsNamed(node))
        {
            writer.WriteStartObject();
            About(node);
            writer.WritePropertyName("$value");
            Plain(node);
            writer.WriteEndObject();
        }
        else
        {
            Plain(node);
        }
    }

    private void Plain(in PayloadNode node)
    {
        string? name = node.EnumName;
        JsonForms.Write(writer, name is null ? node.ScalarTag : Tag.String, name ?? node.Read());
    }

    private void Open(in PayloadNode node)
    {
        Parts parts = Parts.From(node);
        Form form = FormOf(node);
        bool isWrapped = form != Form.Elements || IsNamed(node) || parts.Comparer is not null || parts.Dimensions.Length > 0;
        if (isWrapped)
        {
            writer.WriteStartObject();
            About(node);
            Head(node, parts);
            if (form is Form.Elements or Form.Pairs)
            {
                writer.WritePropertyName(form == Form.Pairs ? "$pairs" : "$values");
            }
        }

        if (node.IsOfBytes)
        {
            writer.WriteBase64StringValue(node.GetBytes().Span);
            if (isWrapped)
            {
                writer.WriteEndObject();
            }

            return;
        }

        if (form is Form.Elements or Form.Pairs)
        {
            writer.WriteStartArray();
        }

        _nests.Add(new Nest(parts, form, isWrapped));
    }

    // Returns whether a value has a number that is used, or a type.
    private static bool IsNamed(in PayloadNode node) => node.Type is { IsNamed: true } || IsReferredTo(node);

    private static bool IsReferredTo(in PayloadNode node) =>
        node.ObjectNumber is >= 0 and var number && node.Document.Index.IsReferredTo(number);

    private void About(in PayloadNode node)
    {
        if (IsReferredTo(node))
        {
            writer.WriteNumber("$id", node.ObjectNumber);
        }

        if (node.Type is { IsNamed: true })
        {
            writer.WriteString("$type", node.Type.ToString());
        }
    }

    private void Head(in PayloadNode node, in Parts parts)
    {
        if (node.Kind == PayloadKind.Union)
        {
            writer.WriteString("$case", node.CaseName);
        }

        if (parts.Comparer is not null)
        {
            writer.WritePropertyName("$comparer");
            JsonForms.WriteText(writer, parts.Comparer);
        }

        if (parts.Dimensions.Length == 0)
        {
            return;
        }

        writer.WriteStartArray("$lengths");
        Array.ForEach(parts.Dimensions, dimension => writer.WriteNumberValue(dimension.Length));
        writer.WriteEndArray();
        if (Array.Exists(parts.Dimensions, dimension => dimension.LowerBound != 0))
        {
            writer.WriteStartArray("$lowerBounds");
            Array.ForEach(parts.Dimensions, dimension => writer.WriteNumberValue(dimension.LowerBound));
            writer.WriteEndArray();
        }
    }

    private static Form FormOf(in PayloadNode node) => node.Kind switch
    {
        PayloadKind.Members or PayloadKind.Union => Form.Members,
        PayloadKind.Map => node.Layout!.Element!.Code == Tag.String && AreNames(Parts.From(node)) ? Form.Named : Form.Pairs,
        _ => Form.Elements,
    };

    // Returns whether all keys can be the names of properties, of which none comes twice.
    private static bool AreNames(Parts parts)
    {
        var names = new HashSet<string>(StringComparer.Ordinal);
        while (parts.MoveNext())
        {
            if (parts.Current.Kind == PayloadKind.Null || parts.Current.GetValue<string>() is not { Length: <= JsonForms.LongestPiece } name
                || !JsonForms.IsWellFormed(name) || !names.Add(name))
            {
                return false;
            }

            parts.MoveNext();
        }

        return true;
    }

    // Names of the format's own begin with one dollar sign.
    private static string Escape(string name) => name.StartsWith('$') ? "$" + name : name;

    /// <summary>A value whose parts are still to be written.</summary>
    /// <param name="parts">The parts.</param>
    /// <param name="form">How they are written.</param>
    /// <param name="isWrapped">True if an object is around an array of them.</param>
    private struct Nest(Parts parts, Form form, bool isWrapped)
    {
        public Parts Parts = parts;

        public readonly Form Form => form;

        public readonly bool IsWrapped => isWrapped;

        /// <summary>True if a pair is to be ended.</summary>
        public bool EndsPair { get; set; }
    }
}
