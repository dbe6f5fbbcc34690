using System.Text.Json.Nodes;

namespace Wire.Foreign.Tests;

/// <summary>Compares what a client answers with what it should, whatever the order of properties.</summary>
internal static class Answer
{
    public static void Equal(JsonNode expected, JsonNode actual)
    {
        if (!JsonNode.DeepEquals(expected, actual))
        {
            Assert.Equal(expected.ToJsonString(), actual.ToJsonString());
        }
    }
}
